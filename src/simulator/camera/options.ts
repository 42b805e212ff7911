/** Options of the real camera programs. Options that are not in `CameraArguments` have no effect. */
const FLAGS = ['nopreview', 'hflip', 'vflip', 'immediate', 'list-cameras'];
const VALUES = [
  'output',
  'codec',
  'timeout',
  'width',
  'height',
  'framerate',
  'quality',
  'camera',
  'rotation',
  'brightness',
  'contrast',
  'saturation',
  'sharpness',
  'shutter',
  'gain',
  'ev',
  'exposure',
  'metering',
  'awb',
  'awbgains',
  'denoise',
  'roi',
  'autofocus-mode',
  'lens-position',
  'thumb',
];

export interface CameraArguments {
  output: string;
  /** Timeout in ms; 0 means an endless stream. */
  timeoutMs: number;
  width: number;
  height: number;
  framerate: number;
  /** JPEG quality, 1…100. */
  quality: number;
  thumbnail: { width: number; height: number; quality: number };
  hflip: boolean;
  vflip: boolean;
  /** Brightness, −1…1. */
  brightness: number;
}

/** Parses `--key value` pairs. Throws errors with the same messages as the real programs. */
export function readArguments(kind: 'vid' | 'still', args: readonly string[]): CameraArguments {
  const options = pairsOf(args);
  const number = (key: string, fallback: number): number => {
    const value = Number(options.get(key) ?? fallback);
    if (Number.isFinite(value)) return value;
    throw new Error(`the argument ('${options.get(key)}') for option '--${key}' is invalid`);
  };
  const isRotated = number('rotation', 0) === 180;
  const defaultSize = kind === 'vid' ? { width: 640, height: 480 } : { width: 4608, height: 2592 };
  const width = number('width', defaultSize.width);
  const height = number('height', defaultSize.height);
  if (width < 8 || height < 8 || width > 8192 || height > 8192) throw new Error('Invalid dimensions');
  return {
    output: options.get('output') ?? '',
    timeoutMs: number('timeout', 5000),
    width,
    height,
    thumbnail: thumbnailOf(options.get('thumb') ?? '320:240:70'),
    framerate: Math.min(120, Math.max(0.1, number('framerate', 30))),
    // A 180° rotation is equivalent to a flip in both directions.
    hflip: options.has('hflip') !== isRotated,
    vflip: options.has('vflip') !== isRotated,
    brightness: number('brightness', 0),
    quality: Math.min(100, Math.max(1, number('quality', kind === 'vid' ? 50 : 93))),
  };
}

/** Parses `width:height:quality`. */
function thumbnailOf(text: string): CameraArguments['thumbnail'] {
  const [width = 0, height = 0, quality = 0] = /^\d+:\d+:\d+$/.test(text) ? text.split(':').map(Number) : [];
  if (width > 0 && height > 0 && quality > 0) return { width, height, quality: Math.min(100, quality) };
  throw new Error('bad thumbnail parameters');
}

function pairsOf(args: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const key = args[at]?.replace(/^--/, '') ?? '';
    if (FLAGS.includes(key)) options.set(key, '');
    else if (VALUES.includes(key)) options.set(key, args[++at] ?? '');
    else throw new Error(`unrecognised option '${args[at]}'`);
  }
  return options;
}

/** Faults that `CARTWRIGHT_CAMERA_FAULT` can contain, separated by commas. */
const CAMERA_FAULTS = [
  // Faults that make the program exit immediately with the real program's error message.
  'none',
  'busy',
  'legacy',
  'permission',
  'bad-option',
  'segv',
  // Faults that occur after the program has connected to its reader.
  'noframes',
  'devtimeout',
  'crash-at',
  'truncated',
  'garbage',
  'h264',
  'flood',
  // Faults that occur before the program connects or opens the camera.
  'hang',
  'slow-open',
] as const;

export type SimulatedCameraFault = (typeof CAMERA_FAULTS)[number];

/** Returns each fault with its number (30 for `crash-at-30`) or NaN. Ignores unknown faults. */
export function cameraFaults(text: string): Map<SimulatedCameraFault, number> {
  const faults = new Map<SimulatedCameraFault, number>();
  for (const part of text.split(',')) {
    const [, name, number] = /^([a-z0-9-]*?)(?:-(\d{1,6}))?$/.exec(part.trim()) ?? [];
    const fault = CAMERA_FAULTS.find((candidate) => candidate === name);
    if (fault) faults.set(fault, Number(number ?? Number.NaN));
  }
  return faults;
}

export const EXIT_MESSAGES: Partial<Record<SimulatedCameraFault, string>> = {
  none: 'ERROR: *** no cameras available ***',
  busy: [
    'ERROR V4L2 v4l2_device.cpp: Pipeline handler in use by another process',
    'ERROR: *** failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a ***',
  ].join('\n'),
  legacy: 'ERROR: the system appears to be configured for the legacy camera stack',
  permission: [
    'ERROR DmaBufAllocator dma_buf_allocator.cpp: Could not open any dmaHeap device',
    'ERROR: *** no cameras available ***',
  ].join('\n'),
  'bad-option': "ERROR: *** unrecognised option '--sparkle' ***",
};
