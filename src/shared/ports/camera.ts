/** Program options, keyed by long name. If an option is absent, the program uses its default. */
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
  /** The shell's exit status (134 means aborted), or the name of a signal or system error. */
  code: number | string;
  text: string;
}

export interface StreamEvents {
  /** Called when the program connects, which it does before it opens the camera. */
  connected(): void;
  bytes(chunk: Buffer): void;
  /** Called once, after the program's last process has exited. */
  ended(end: ProgramEnd): void;
}

/** The methods have no effect after the program has ended. */
export interface CameraProgram {
  /**
   * Resets the connection. The program detects this at the next image. Has no effect on a program that takes
   * a photo.
   */
  cut(): void;
  /** Sends a signal to the program, not to its shell. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

/** The caller must ensure that only one program runs at a time. */
export interface CameraDevice {
  /** True if the next program uses the simulated camera. */
  readonly simulated: boolean;
  /** Streams JPEG images. The stream ends on any failure. */
  stream(options: ProgramOptions, events: StreamEvents): CameraProgram;
  /** Takes one photo. The caller validates and removes the file; `path` is empty if no file was written. */
  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram;
  /** Removes the device's files. Call this only while no program is running. */
  close(): Promise<void>;
}
