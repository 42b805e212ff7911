import type { Text } from '../../shared/messages/message.js';
import type { Labels } from '../../shared/metric.js';
import type { CameraImage, CameraImages } from '../../shared/ports/camera.js';
import type { Cancel } from '../../shared/ports/clock.js';

export type Image = CameraImage;

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
   * For example `not-installed`, `missing`, `busy`, `permission`, `bad-option` or `stalled`. While the camera streams:
   * `frozen`, `black`, `white` or `wrong-size`.
   */
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
  /** Size configured for the live stream. */
  width: number;
  height: number;
  framerate: number;
  /** Sequence number of the latest image; 0 before the first image. */
  newest: number;
  /** Monotonic time of the next retry in ms; present in the phase `backoff`. */
  retryAtMs?: number;
}

/** A complete, validated photo file; the caller moves or deletes the file. */
export interface Still {
  path: string;
  bytes: number;
}

export interface ImageCounts {
  /** Images that were the same as an earlier one. */
  repeated: number;
  /** Number of times that the images became unusable, by reason. */
  faults: readonly [Labels, number][];
}

/** The camera runs while at least one caller has acquired it, and for 10 s after the last release. */
export interface ImageSource extends CameraImages {
  view(): CameraView;
  onChange(listener: () => void): Cancel;
  /**
   * Returns undefined while the camera is not running or its images are not usable, so that no old image is shown as
   * live.
   */
  newest(): Image | undefined;
  /** Returns the counts since the gateway started. */
  counts(): ImageCounts;
  /** Taking a photo pauses the live stream; requests are queued. Rejects with `CAMERA_…`. */
  still(): Promise<Still>;
  retry(): void;
  close(): Promise<void>;
}
