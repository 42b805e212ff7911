import type { Text } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';

export interface Image {
  /** Ascending from 1; continues when the camera restarts. */
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
  /** `not-installed`, `missing`, `busy`, `permission`, `legacy`, `bad-option`, `stalled`, `not-jpeg`, `crashed`, … */
  code: string;
  text: Text;
  hint?: Text;
  /** The camera program's last lines, at most five. */
  lines: string[];
}

export interface CameraView {
  phase: CameraPhase;
  simulated: boolean;
  fault?: CameraFault;
  /** The stream's configured size and rate. */
  width: number;
  height: number;
  framerate: number;
  /** Number of the latest image; 0 before the first. */
  newest: number;
  /** `Clock.now()` of the next retry, in phase `backoff`. */
  retryAtMs?: number;
}

/** A complete, validated photo file. The caller moves or deletes it. */
export interface Still {
  path: string;
  bytes: number;
}

/** The camera. It runs while it is acquired, and for 10 s after that. */
export interface ImageSource {
  view(): CameraView;
  onChange(listener: () => void): Cancel;
  /** Called with the latest image from each turn of the event loop. */
  onImage(listener: (image: Image) => void): Cancel;
  /** The latest image; undefined while the camera is not running, so that no old image is shown as live. */
  newest(): Image | undefined;
  /** Keeps the camera running until cancelled. */
  acquire(): Cancel;
  /** Takes a photo with the saved settings; the live stream pauses. Requests are queued. Rejects with `CAMERA_…`. */
  still(): Promise<Still>;
  /** Skips the backoff. */
  retry(): void;
  close(): Promise<void>;
}
