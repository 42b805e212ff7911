import { declareMessages } from '../../shared/messages/message.js';

export const detectorMessage = declareMessages('markers', {
  'not-jpeg': 'the image is not a JPEG',
  damaged: 'the image is damaged',
  unsupported: 'this kind of JPEG is not supported; only baseline JPEGs with 8 bits per sample are',
  'wrong-size': 'the image has {width} × {height} pixels instead of {expectedWidth} × {expectedHeight}',
  'too-small': 'the image has {width} × {height} pixels; each side must have at least {min}',
  'too-large': 'the image is too large: {width} × {height} pixels',
  'too-many-bytes': 'the image file is too large: {bytes} bytes',
});
