/** The contract with whoever runs the camera programs: `adapters/libcamera/libcamera.ts`, or a test's own. Types only. */

/** Options of a camera program by their long names. What is not there takes the program's own default. */
export type ProgramOptions = Readonly<Record<string, OptionValue>>;

/** The colour gains go as a pair, the part of the picture as a box and the thumbnail by its size; the rest is one word. */
export type OptionValue =
  | string
  | number
  | true
  | readonly [number, number]
  | { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly width: number; readonly height: number; readonly quality: number };

/** How a camera program ended. */
export interface ProgramEnd {
  /** Its exit status as a shell tells it (134: aborted), or the name of a signal or a system error. */
  code: number | string;
  /** What it said on stderr. */
  text: string;
}

export interface StreamEvents {
  /** The program has connected; it does so before it opens the camera. */
  connected(): void;
  bytes(chunk: Buffer): void;
  /** Once, when no process of it is left. */
  ended(end: ProgramEnd): void;
}

/** A camera program that runs, or is about to. After it has ended nothing here does anything. */
export interface CameraProgram {
  /** Ends its connection with a reset, which it notices at its next picture. A photo has none. */
  cut(): void;
  /** Signals the program itself, not the shell around it. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

/** The way to the camera. It has no lock: whoever holds it runs one program at a time. */
export interface CameraDevice {
  /** Whether the next program that is started is the simulated camera. */
  readonly simulated: boolean;
  /** Starts a live stream of JPEGs. Failures of any kind end it. */
  stream(options: ProgramOptions, events: StreamEvents): CameraProgram;
  /**
   * Takes one picture into a file of its own, which whoever asked looks at and removes. `path` is empty when it did not
   * come to that.
   */
  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram;
  /** Removes what it keeps on disk. Nothing may run any more. */
  close(): Promise<void>;
}
