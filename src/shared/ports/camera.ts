/** Options of a camera program by long name; absent options take the program's default. */
export type ProgramOptions = Readonly<Record<string, OptionValue>>;

/** A single value, or: colour gains (red, blue), region of interest, thumbnail. */
export type OptionValue =
  | string
  | number
  | true
  | readonly [number, number]
  | { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly width: number; readonly height: number; readonly quality: number };

export interface ProgramEnd {
  /** Exit status as reported by a shell (134: aborted), or the name of a signal or system error. */
  code: number | string;
  /** Output on stderr. */
  text: string;
}

export interface StreamEvents {
  /** The program has connected, which it does before opening the camera. */
  connected(): void;
  bytes(chunk: Buffer): void;
  /** Called once, after the last of its processes has exited. */
  ended(end: ProgramEnd): void;
}

/** A camera program. Its methods have no effect after it has ended. */
export interface CameraProgram {
  /** Resets the connection; the program notices when it sends the next image. No effect on a photo. */
  cut(): void;
  /** Signals the program, not its shell. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

/** Starts camera programs. The caller must run one at a time. */
export interface CameraDevice {
  /** True if the next program is the simulated camera. */
  readonly simulated: boolean;
  /** Starts a stream of JPEG images. Any failure ends it. */
  stream(options: ProgramOptions, events: StreamEvents): CameraProgram;
  /** Takes one photo. The caller validates and removes the file at `path`, which is empty if none was written. */
  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram;
  /** Removes its files. No program may be running. */
  close(): Promise<void>;
}
