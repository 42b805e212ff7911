/** The options of the real programs that the simulated camera obeys; it accepts the others, too, and leaves it at that. */
const FLAGS = ['nopreview', 'hflip', 'vflip', 'immediate', 'list-cameras'];
const VALUES = [
  ...['output', 'codec', 'timeout', 'width', 'height', 'framerate', 'quality', 'camera', 'rotation'],
  ...['brightness', 'contrast', 'saturation', 'sharpness', 'shutter', 'gain', 'ev', 'exposure', 'metering'],
  ...['awb', 'awbgains', 'denoise', 'roi', 'autofocus-mode', 'lens-position', 'thumb'],
];

export interface CameraArguments {
  output: string;
  /** ms; 0 of a stream is without end. */
  timeoutMs: number;
  width: number;
  height: number;
  framerate: number;
  /** The size of the thumbnail in a photo. */
  thumbnail: { width: number; height: number };
  hflip: boolean;
  vflip: boolean;
  /** -1 to 1. */
  brightness: number;
}

/** Reads `--key value` pairs; throws the sentence of the real programs. */
export function readArguments(kind: 'vid' | 'still', args: readonly string[]): CameraArguments {
  const given = pairsOf(args);
  const number = (key: string, usual: number): number => {
    const value = Number(given.get(key) ?? usual);
    if (Number.isFinite(value)) return value;
    throw new Error(`the argument ('${given.get(key)}') for option '--${key}' is invalid`);
  };
  const isTurned = number('rotation', 0) === 180;
  const usual = kind === 'vid' ? { width: 640, height: 480 } : { width: 4608, height: 2592 };
  const width = number('width', usual.width);
  const height = number('height', usual.height);
  if (width < 8 || height < 8 || width > 8192 || height > 8192) throw new Error('Invalid dimensions');
  return {
    output: given.get('output') ?? '',
    timeoutMs: number('timeout', 5000),
    ...{ width, height },
    thumbnail: thumbnailOf(given.get('thumb') ?? '320:240:70'),
    framerate: Math.min(120, Math.max(0.1, number('framerate', 30))),
    // Turned by 180° is mirrored both ways.
    hflip: given.has('hflip') !== isTurned,
    vflip: given.has('vflip') !== isTurned,
    brightness: number('brightness', 0),
  };
}

/** `width:height:quality`. */
function thumbnailOf(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d+):(\d+):\d+$/.exec(text) ?? [];
  if (width && height) return { width: Number(width), height: Number(height) };
  throw new Error('bad thumbnail parameters');
}

function pairsOf(args: readonly string[]): Map<string, string> {
  const given = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const key = args[at]?.replace(/^--/, '') ?? '';
    if (FLAGS.includes(key)) given.set(key, '');
    else if (VALUES.includes(key)) given.set(key, args[++at] ?? '');
    else throw new Error(`unrecognised option '${args[at]}'`);
  }
  return given;
}

/** What the simulated camera can be made to do wrong, by `CARTWRIGHT_CAMERA_FAULT` (several with commas between). */
const CAMERA_FAULTS = [
  // It ends at once, with the words of the real programs.
  'none',
  'busy',
  'legacy',
  'permission',
  'bad-option',
  'segv',
  // It has connected, and then:
  'noframes',
  'devtimeout',
  'crash-at',
  'truncated',
  'garbage',
  'h264',
  'flood',
  // Or not even that.
  'hang',
  'slow-open',
] as const;

export type CameraFault = (typeof CAMERA_FAULTS)[number];

/** The faults that are asked for, each with its number (`crash-at-30`) or NaN. Unknown ones are ignored. */
export function cameraFaults(text: string): Map<CameraFault, number> {
  const faults = new Map<CameraFault, number>();
  for (const word of text.split(',')) {
    const [, name, number] = /^([a-z0-9-]*?)(?:-(\d{1,6}))?$/.exec(word.trim()) ?? [];
    const fault = CAMERA_FAULTS.find((known) => known === name);
    if (fault) faults.set(fault, Number(number ?? Number.NaN));
  }
  return faults;
}

/** What the real programs say when there is no use going on. */
export const LAST_WORDS: Partial<Record<CameraFault, string>> = {
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
