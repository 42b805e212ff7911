const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const factor = { type: 'number', minimum: 0, maximum: 15.99, default: 1 } as const;

/** White balance and colour settings of the section `camera`. */
export const colour = {
  awb: {
    type: 'string',
    enum: ['auto', 'incandescent', 'tungsten', 'fluorescent', 'indoor', 'daylight', 'cloudy', 'custom'],
    title: 'White balance',
    description: '"custom" uses the values from the camera\'s tuning file.',
    default: 'auto',
  },
  awbGains: {
    type: 'object',
    title: 'Manual white balance',
    additionalProperties: false,
    default: {},
    required: ['red', 'blue'],
    properties: {
      red: {
        type: ['number', 'null'],
        minimum: 0.1,
        maximum: 32,
        title: 'Red gain',
        description: 'Leave empty for automatic white balance. If you set this gain, also set the blue gain.',
        default: null,
      },
      blue: {
        type: ['number', 'null'],
        minimum: 0.1,
        maximum: 32,
        title: 'Blue gain',
        description: 'Leave empty for automatic white balance. If you set this gain, also set the red gain.',
        default: null,
      },
    },
  },
  denoise: {
    type: 'string',
    enum: ['auto', 'off', 'cdn_off', 'cdn_fast', 'cdn_hq'],
    title: 'Noise reduction',
    description: '"cdn" means colour noise reduction.',
    default: 'auto',
  },
  brightness: {
    type: 'number',
    minimum: -1,
    maximum: 1,
    title: 'Brightness',
    description: '-1 is black, 1 is white.',
    default: 0,
  },
  contrast: { ...factor, title: 'Contrast', description: '1 is normal.' },
  saturation: { ...factor, title: 'Saturation', description: '0 is greyscale, 1 is normal.' },
  sharpness: { ...factor, title: 'Sharpness', description: '1 is normal.' },
} as const;

/** Image processing, orientation and crop settings of the section `camera`. */
export const lens = {
  roi: {
    type: 'object',
    title: 'Crop',
    additionalProperties: false,
    default: {},
    required: ['x', 'y', 'width', 'height'],
    properties: {
      x: { ...share, title: 'Left edge', description: '0 is the left edge of the full image.', default: 0 },
      y: { ...share, title: 'Top edge', description: '0 is the top edge of the full image.', default: 0 },
      width: {
        ...share,
        minimum: 0.01,
        title: 'Width (fraction)',
        description: '1 is the full width.',
        default: 1,
      },
      height: {
        ...share,
        minimum: 0.01,
        title: 'Height (fraction)',
        description: '1 is the full height.',
        default: 1,
      },
    },
  },
  autofocusMode: {
    type: 'string',
    enum: ['default', 'manual', 'auto', 'continuous'],
    title: 'Focus',
    description: 'Only for cameras with autofocus; other cameras reject this setting.',
    default: 'default',
  },
  lensPosition: {
    type: ['number', 'null'],
    minimum: 0,
    maximum: 32,
    unit: 'dpt',
    title: 'Lens position',
    description: '0 is infinity, 10 is 10 cm. Used only if Focus is "manual".',
    default: null,
  },
} as const;
