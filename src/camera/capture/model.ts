import type { Text } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';

export interface Image {
  /** Sequence number, starting at 1. A restart of the camera does not reset it. */
  number: number;
  jpeg: Buffer;
  /** `Clock.now()` when the image was complete. */
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
  /** For example `not-installed`, `missing`, `busy`, `permission`, `bad-option` or `stalled`. */
  code: string;
  text: Text;
  hint?: Text;
  /** The last lines of the program's output, at most five. */
  lines: string[];
}

export interface CameraView {
  phase: CameraPhase;
  simulated: boolean;
  fault?: CameraFault;
  /** Image size configured for the stream. */
  width: number;
  height: number;
  framerate: number;
  /** Number of the latest image; 0 before the first image. */
  newest: number;
  /** `Clock.now()` at which the next retry is due. Set in the phase `backoff`. */
  retryAtMs?: number;
}

/** A complete, validated photo file, which the caller moves or deletes. */
export interface Still {
  path: string;
  bytes: number;
}

/** The camera runs while at least one caller has acquired it, and for 10 s after the last release. */
export interface ImageSource {
  view(): CameraView;
  onChange(listener: () => void): Cancel;
  /** Calls `listener` once per event-loop iteration, with the latest image. */
  onImage(listener: (image: Image) => void): Cancel;
  /** Undefined while the camera is not running, so that no old image is shown as live. */
  newest(): Image | undefined;
  /** Keeps the camera running until the returned function is called. */
  acquire(): Cancel;
  /** Takes a photo, which pauses the live stream. Requests are queued. Rejects with `CAMERA_…`. */
  still(): Promise<Still>;
  retry(): void;
  close(): Promise<void>;
}
