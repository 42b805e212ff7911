import type { Text } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';

export interface Image {
  /** Counts up from 1. A restart of the camera does not reset it. */
  number: number;
  jpeg: Buffer;
  /** Value of `Clock.now()` when the image was complete. */
  atMs: number;
}

export type CameraPhase =
  | 'disabled'
  | 'idle'
  | 'starting'
  | 'streaming'
  | 'stopping'
  | 'capturing'
  | 'backoff';

export interface CameraFault {
  /**
   * Fault code: `not-installed`, `missing`, `busy`, `permission`, `legacy`, `bad-option`, `stalled`,
   * `not-jpeg`, `crashed`, …
   */
  code: string;
  text: Text;
  hint?: Text;
  /** The last lines of the camera program's output, at most five. */
  lines: string[];
}

export interface CameraView {
  phase: CameraPhase;
  simulated: boolean;
  fault?: CameraFault;
  /** Size and frame rate configured for the stream. */
  width: number;
  height: number;
  framerate: number;
  /** Number of the latest image; 0 before the first image. */
  newest: number;
  /** Value of `Clock.now()` at which the next retry is due. Set in the phase `backoff`. */
  retryAtMs?: number;
}

/** A complete, validated photo file. The caller moves or deletes it. */
export interface Still {
  path: string;
  bytes: number;
}

/** The camera. It runs while a caller has acquired it, and for another 10 s after that. */
export interface ImageSource {
  view(): CameraView;
  onChange(listener: () => void): Cancel;
  /** The listener is called with the latest image from each turn of the event loop. */
  onImage(listener: (image: Image) => void): Cancel;
  /** The latest image; undefined while the camera is not running, so that no old image is shown as live. */
  newest(): Image | undefined;
  /** Keeps the camera running until the returned function is called. */
  acquire(): Cancel;
  /**
   * Takes a photo with the saved settings. The live stream pauses during the photo. Requests are queued.
   * Rejects with `CAMERA_…`.
   */
  still(): Promise<Still>;
  /** Retries immediately, even during the backoff. */
  retry(): void;
  close(): Promise<void>;
}
