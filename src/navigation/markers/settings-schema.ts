import type { FromSchema } from 'json-schema-to-ts';

const side = { type: 'integer', minimum: 0, maximum: 10_000, unit: 'px', default: 0 } as const;
const coordinate = { type: 'number', minimum: -10_000, maximum: 20_000, unit: 'px', default: 0 } as const;

const mount = { type: 'number', minimum: -5000, maximum: 5000, unit: 'mm', default: 0 } as const;
const position = { type: 'number', minimum: 10, maximum: 10_000, unit: 'mm' } as const;
const heading = { type: 'number', minimum: 0.5, maximum: 90, unit: 'deg' } as const;

/** Section `navigation` of variables.json. */
export const navigationSchema = {
  type: 'object',
  title: 'Navigation',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: ['preset', 'calibration', 'mount', 'accuracy'],
  properties: {
    preset: {
      type: 'string',
      enum: ['module-2', 'module-3', 'module-3-wide'],
      valueTitles: {
        'module-2': 'Camera Module 2',
        'module-3': 'Camera Module 3',
        'module-3-wide': 'Camera Module 3 Wide',
      },
      title: 'Camera model',
      description: 'Determines the field of view until the camera is calibrated.',
      default: 'module-3',
    },
    calibration: {
      type: 'object',
      title: 'Camera calibration',
      page: '/navigation/calibration',
      additionalProperties: false,
      default: {},
      required: [
        'method',
        'cameraId',
        'width',
        'height',
        'fPx',
        'cxPx',
        'cyPx',
        'k1',
        'reprojectionErrorPx',
        'expectedErrorPercent',
      ],
      properties: {
        method: {
          type: 'string',
          enum: ['none', 'one-shot', 'full'],
          valueTitles: { none: 'None', 'one-shot': 'One marker', full: 'Printed board' },
          title: 'Method',
          description: 'The Camera calibration page sets this value and the values below.',
          default: 'none',
        },
        cameraId: {
          type: 'string',
          maxLength: 200,
          title: 'Calibrated camera',
          description: 'The calibration applies only to this camera, orientation and crop.',
          default: '',
        },
        width: {
          ...side,
          title: 'Calibrated width',
          description: 'The calibration applies only to images of this width.',
        },
        height: {
          ...side,
          title: 'Calibrated height',
          description: 'The calibration applies only to images of this height.',
        },
        fPx: { ...coordinate, minimum: 0, title: 'Focal length', description: 'In pixels.' },
        cxPx: { ...coordinate, title: 'Image centre, x', description: 'Measured from the leftmost pixel.' },
        cyPx: { ...coordinate, title: 'Image centre, y', description: 'Measured from the topmost pixel.' },
        k1: {
          type: 'number',
          minimum: -1,
          maximum: 1,
          title: 'Radial distortion',
          description: 'Negative for barrel distortion.',
          default: 0,
        },
        reprojectionErrorPx: {
          type: 'number',
          minimum: 0,
          maximum: 1000,
          unit: 'px',
          title: 'Reprojection error',
          description: 'How well the calibration fits its images.',
          default: 0,
        },
        expectedErrorPercent: {
          type: 'number',
          minimum: 0,
          maximum: 100,
          unit: '%',
          title: 'Expected error',
          description: 'Of measured distances.',
          default: 0,
        },
      },
    },
    mount: {
      type: 'object',
      title: 'Camera position on the cart',
      additionalProperties: false,
      default: {},
      required: ['xMm', 'yMm', 'headingDeg'],
      properties: {
        xMm: {
          ...mount,
          title: 'Forward',
          description:
            'From the midpoint between the driven wheels to the camera lens; negative to the rear.',
        },
        yMm: { ...mount, title: 'To the left', description: 'Negative to the right.' },
        headingDeg: {
          type: 'number',
          minimum: -180,
          maximum: 180,
          unit: 'deg',
          default: 0,
          title: 'Camera direction',
          description: '0 is forward; positive values are to the left.',
        },
      },
    },
    accuracy: {
      type: 'object',
      title: 'Localization',
      additionalProperties: false,
      default: {},
      required: ['goodPositionMm', 'goodHeadingDeg', 'coarsePositionMm', 'coarseHeadingDeg'],
      properties: {
        goodPositionMm: {
          ...position,
          title: 'Good position',
          description: "A cart's position is good if its error is below this limit with 95 % probability.",
          default: 100,
        },
        goodHeadingDeg: {
          ...heading,
          title: 'Good heading',
          description: "A cart's heading is good if its error is below this limit with 95 % probability.",
          default: 5,
        },
        coarsePositionMm: {
          ...position,
          title: 'Coarse position',
          description: "If the error exceeds this limit, the cart's position counts as lost.",
          default: 1000,
        },
        coarseHeadingDeg: {
          ...heading,
          title: 'Coarse heading',
          description: "If the error exceeds this limit, the cart's position counts as lost.",
          default: 20,
        },
      },
    },
  },
} as const;

export type NavigationSettings = FromSchema<typeof navigationSchema>;
export type CalibrationSettings = NavigationSettings['calibration'];
export type Preset = NavigationSettings['preset'];
