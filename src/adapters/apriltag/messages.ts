import { declareMessages } from '../../shared/messages/message.js';

export const detectorMessage = declareMessages('markers', {
  'not-jpeg': 'the image is not a JPEG',
  damaged: 'the image is damaged',
  unsupported: 'this type of JPEG is not supported; use a baseline JPEG with 8 bits per sample',
  'wrong-size': 'the image measures {width} × {height} pixels instead of {expectedWidth} × {expectedHeight}',
  'too-small': 'the image measures {width} × {height} pixels; each side must have at least {min} pixels',
  'too-large': 'the image is too large: {width} × {height} pixels',
  'too-many-bytes': 'the image file is too large: {bytes} bytes',
});
