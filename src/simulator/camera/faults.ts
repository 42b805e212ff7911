import { FaultPanel, type FaultRange } from '../fault-panel.js';

/** Faults of the simulated camera's images and of the markers in them, with their argument ranges. */
const VERBS = {
  /** Radial distortion k1 of the lens. */
  cameraDistortion: { defaultValue: -0.08, min: -0.2, max: 0.2 },
  /** Standard deviation of the noise in each pixel, 0 to 255. */
  cameraNoise: { defaultValue: 8, min: 0, max: 64 },
  /** Radius of the blur in pixels. */
  cameraBlur: { defaultValue: 2, min: 0, max: 20 },
  /** Exposure in stops: positive is too bright, negative too dark. */
  cameraExposure: { defaultValue: 3, min: -8, max: 8 },
  cameraBlack: { defaultValue: 0, min: 0, max: 0 },
  /** On average, one in this many images is not sent. */
  cameraDrops: { defaultValue: 20, min: 1, max: 1000 },
  /** Repeats the last image. */
  cameraFrozen: { defaultValue: 0, min: 0, max: 0 },
  /** Delay of every image, in ms. */
  cameraDelay: { defaultValue: 400, min: 0, max: 5000 },
  /** ID of the covered marker. */
  markerCovered: { defaultValue: 0, min: 0, max: 586 },
  /** ID of the upside-down marker. */
  markerUpsideDown: { defaultValue: 0, min: 0, max: 586 },
  /** Ratio of the actual size of all markers to their nominal size. */
  markerSize: { defaultValue: 1.25, min: 0.25, max: 4 },
} as const satisfies Record<string, FaultRange>;

export type CameraFaultVerb = keyof typeof VERBS;

export const CAMERA_FAULT_VERBS = Object.keys(VERBS) as CameraFaultVerb[];

export function isCameraFaultVerb(text: string): text is CameraFaultVerb {
  return Object.hasOwn(VERBS, text);
}

export class CameraFaults extends FaultPanel<CameraFaultVerb> {
  constructor() {
    super(VERBS);
  }
}
