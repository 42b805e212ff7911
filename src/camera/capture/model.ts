import type { Text } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/ports.js';

/** One picture, as the camera gave it. */
export interface Frame {
  /** Counts up from 1 for as long as the process lives; never repeats, also across restarts of the camera. */
  number: number;
  jpeg: Buffer;
  /** `Clock.now()` when it was whole. */
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

/** Why there is no picture, for people. */
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
  /** Of the stream as it is configured. */
  width: number;
  height: number;
  framerate: number;
  /** The newest frame's number; 0 before the first. */
  newest: number;
  /** `Clock.now()` of the next try, in `backoff`. */
  retryAtMs?: number;
}

/** A still picture on disk, complete and checked; whoever asked for it moves or deletes the file. */
export interface Still {
  path: string;
  bytes: number;
}

/** The one camera. It runs while somebody wants it, and a little longer. */
export interface PictureSource {
  view(): CameraView;
  onChange(listener: () => void): Cancel;
  /** Every new frame, the newest of each turn of the event loop only. */
  onFrame(listener: (frame: Frame) => void): Cancel;
  /** The newest live frame; undefined while the camera does not run: an old picture is never shown as a live one. */
  newest(): Frame | undefined;
  /** Keeps the camera running until it is called off. */
  want(): Cancel;
  /**
   * Takes one still with the saved settings; a live stream pauses and goes on. One at a time: others wait their turn.
   * Rejects CAMERA_… with a sentence and a hint when there is none to be had.
   */
  still(): Promise<Still>;
  /** Tries again now instead of waiting for the backoff. */
  retry(): void;
  close(): Promise<void>;
}
