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
