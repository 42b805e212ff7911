const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const factor = { type: 'number', minimum: 0, maximum: 15.99, default: 1 } as const;

export const colour = {
  awb: {
    type: 'string',
    enum: ['auto', 'incandescent', 'tungsten', 'fluorescent', 'indoor', 'daylight', 'cloudy', 'custom'],
    valueTitles: {
      auto: 'Automatic',
      incandescent: 'Incandescent',
      tungsten: 'Tungsten',
      fluorescent: 'Fluorescent',
      indoor: 'Indoor',
      daylight: 'Daylight',
      cloudy: 'Cloudy',
      custom: 'Custom',
    },
    title: 'White balance',
    description: "Custom uses the values from the camera's tuning file.",
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
    valueTitles: {
      auto: 'Automatic',
      off: 'Off',
      cdn_off: 'Without colour noise reduction',
      cdn_fast: 'Fast colour noise reduction',
      cdn_hq: 'High-quality colour noise reduction',
    },
    title: 'Noise reduction',
    description: 'Noise reduction makes the image smoother but less detailed.',
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
    valueTitles: { default: 'Camera default', manual: 'Manual', auto: 'Automatic', continuous: 'Continuous' },
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
    description: '0 is infinity, 10 is 10 cm. Used only if Focus is Manual.',
    default: null,
  },
} as const;
