/** Camera program options by long name; absent options take the program's default. */
export type ProgramOptions = Readonly<Record<string, OptionValue>>;

/** A single value, colour gains (red, blue), a region of interest, or a thumbnail. */
export type OptionValue =
  | string
  | number
  | true
  | readonly [number, number]
  | { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly width: number; readonly height: number; readonly quality: number };

export interface ProgramEnd {
  /** Exit status as a shell reports it (134: aborted), or the name of a signal or system error. */
  code: number | string;
  /** Output on stderr. */
  text: string;
}

export interface StreamEvents {
  /** Called when the program has connected, which it does before opening the camera. */
  connected(): void;
  bytes(chunk: Buffer): void;
  /** Called once, after the last of the program's processes has exited. */
  ended(end: ProgramEnd): void;
}

/** A camera program. Its methods have no effect after it has ended. */
export interface CameraProgram {
  /** Resets the connection; the program notices when it sends the next image. No effect on a photo. */
  cut(): void;
  /** Signals the program, not its shell. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

/** Starts camera programs. The caller must run only one at a time. */
export interface CameraDevice {
  /** True if the next program is the simulated camera. */
  readonly simulated: boolean;
  /** Starts a stream of JPEG images, which ends on any failure. */
  stream(options: ProgramOptions, events: StreamEvents): CameraProgram;
  /** Takes one photo. The caller validates and removes the file at `path`, which is empty if none was written. */
  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram;
  /** Removes its files. Call it only while no program is running. */
  close(): Promise<void>;
}
