import type { Cancel } from './clock.js';

export interface CameraImage {
  /** Sequence number, starting at 1; not reset when the camera restarts. */
  number: number;
  jpeg: Buffer;
  /** `Clock.now()` when the image was complete. */
  atMs: number;
}

/** The camera's live images. The camera runs while at least one caller has acquired it. */
export interface CameraImages {
  /** Calls `listener` once per event-loop iteration, with the latest image. */
  onImage(listener: (image: CameraImage) => void): Cancel;
  /** Keeps the camera running until the returned function is called. */
  acquire(): Cancel;
}

/** Program options, keyed by long name. If an option is absent, the program uses its default. */
export type ProgramOptions = Readonly<Record<string, OptionValue>>;

/** The value of an option: a single value, colour gains (red, blue), a region of interest or a thumbnail. */
export type OptionValue =
  | string
  | number
  | true
  | readonly [number, number]
  | { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly width: number; readonly height: number; readonly quality: number };

/** A cause that the device recognises in a program's exit status or output. */
export type ProgramFault =
  | 'not-installed'
  | 'not-runnable'
  | 'permission'
  | 'busy'
  | 'legacy'
  | 'missing'
  | 'unsupported'
  | 'bad-option'
  | 'stalled'
  | 'output'
  | 'flood';

export interface ProgramEnd {
  /** The shell's exit status (134 means aborted), or the name of a signal or system error. */
  code: number | string;
  text: string;
  /** Absent if the device recognises no cause. */
  fault?: ProgramFault;
}

export interface StreamEvents {
  /** Called when the program connects, before the program opens the camera. */
  connected(): void;
  bytes(chunk: Buffer): void;
  /** Called once, after the program's last process has exited. */
  ended(end: ProgramEnd): void;
}

/** After the program has ended, the methods have no effect. */
export interface CameraProgram {
  /** Resets the connection, which the program detects at the next image. Does not affect a photo. */
  cut(): void;
  /** Sends a signal to the program, not to its shell. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

/** Only one program may run at a time; the caller must ensure this. */
export interface CameraDevice {
  readonly simulated: boolean;
  /** Streams JPEG images. The stream ends on any failure. */
  stream(options: ProgramOptions, events: StreamEvents): CameraProgram;
  /** Takes one photo. The caller validates and removes the file; `path` is empty if no file was written. */
  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram;
  /** Removes the device's files. Call this only while no program is running. */
  close(): Promise<void>;
}
