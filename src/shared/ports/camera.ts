/** Camera program options, keyed by long name. If an option is absent, the program uses its default. */
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
  /** Exit status as reported by a shell (134 means aborted), or the name of a signal or system error. */
  code: number | string;
  /** The program's output on stderr. */
  text: string;
}

export interface StreamEvents {
  /** Called when the program has connected. The program connects before it opens the camera. */
  connected(): void;
  bytes(chunk: Buffer): void;
  /** Called once, after the last of the program's processes has exited. */
  ended(end: ProgramEnd): void;
}

/** A camera program. Its methods have no effect after the program has ended. */
export interface CameraProgram {
  /**
   * Resets the program's connection. The program detects this when it sends the next image. Has no effect on
   * a photo.
   */
  cut(): void;
  /** Sends a signal to the program, not to its shell. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

/** Starts camera programs. The caller must run only one program at a time. */
export interface CameraDevice {
  /** True if the next program to be started is the simulated camera. */
  readonly simulated: boolean;
  /** Starts a stream of JPEG images. The stream ends on any failure. */
  stream(options: ProgramOptions, events: StreamEvents): CameraProgram;
  /**
   * Takes one photo. The caller validates and removes the file at `path`. `path` is empty if no file was
   * written.
   */
  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram;
  /** Removes the device's files. Call this only while no program is running. */
  close(): Promise<void>;
}
