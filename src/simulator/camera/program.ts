import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../shared/ports/clock.js';
import { type CameraArguments, type CameraFault, EXIT_MESSAGES } from './options.js';
import { CameraScene, readPose, type SceneState } from './scene.js';

interface CameraEnvironment {
  faults: ReadonlyMap<CameraFault, number>;
  posePath: string;
  lockPath: string;
  /** Images smaller than this are padded to match the size of a real camera's images. */
  minBytes: number;
  clock: Clock;
  logError(line: string): void;
}

export class CameraExit extends Error {
  readonly status: number;

  constructor(status: number, message = '') {
    super(message);
    this.status = status;
  }
}

const SLOW_OPEN_MS = 2000;
const TIMEOUT_PERIOD_MS = 1000;

/** Simulates a camera program. The steps are in the same order as in the real programs. */
export class CameraProgram {
  readonly #args: CameraArguments;
  readonly #environment: CameraEnvironment;
  readonly #scene: CameraScene;
  #frame = 0;

  constructor(args: CameraArguments, environment: CameraEnvironment) {
    this.#args = args;
    this.#environment = environment;
    this.#scene = new CameraScene(args.width, args.height);
  }

  /** Rejects with `CameraExit`. For any other error, the exit status is 255. */
  async stream(): Promise<void> {
    if (this.#has('hang')) return this.#forever();
    const socket = await this.#connect();
    await this.#openCamera();
    if (this.#has('noframes')) return this.#forever();
    if (this.#has('devtimeout')) return this.#repeatTimeout();
    const startMs = this.#environment.clock.now();
    const { timeoutMs, framerate } = this.#args;
    // Image times are computed from the start time, so that the frame rate does not drift.
    for (let turn = 1; timeoutMs === 0 || this.#environment.clock.now() - startMs < timeoutMs; turn++) {
      await this.#sendFrame(socket);
      await this.#wait(startMs + (turn * 1000) / framerate - this.#environment.clock.now());
    }
    socket.destroy();
  }

  async still(): Promise<void> {
    if (this.#has('hang')) return this.#forever();
    await this.#openCamera();
    if (this.#has('noframes')) return this.#forever();
    await this.#wait(this.#args.timeoutMs);
    const image = withThumbnail(await this.#image(), await this.#thumbnail());
    writeFileSync(this.#args.output, this.#has('truncated') ? image.subarray(0, image.length / 2) : image);
  }

  #has(fault: CameraFault): boolean {
    return this.#environment.faults.has(fault);
  }

  /** Connects before opening the camera and accepts only numeric addresses, like the real programs. */
  async #connect(): Promise<Socket> {
    const [, host, port] = /^tcp:\/\/(\d+\.\d+\.\d+\.\d+):(\d+)$/.exec(this.#args.output) ?? [];
    if (!host) throw new Error('bad network address');
    // As in the real programs, only a reset makes the next write fail; a FIN from the reader does not.
    const socket = connect({ host, port: Number(port), allowHalfOpen: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', () => reject(new Error('connect to server failed: Connection refused')));
    });
    socket.on('error', () => {
      const writes = !this.#has('noframes') && !this.#has('devtimeout');
      if (writes) process.exit(134);
    });
    return socket;
  }

  async #openCamera(): Promise<void> {
    if (this.#has('segv')) process.kill(process.pid, 'SIGSEGV');
    if (this.#has('slow-open')) await this.#wait(SLOW_OPEN_MS);
    for (const [fault, message] of Object.entries(EXIT_MESSAGES)) {
      if (this.#has(fault as CameraFault)) throw new CameraExit(255, message);
    }
    if (!lockCamera(this.#environment.lockPath)) throw new CameraExit(255, EXIT_MESSAGES.busy);
    if (this.#has('flood')) this.#environment.logError('ERROR '.repeat(400_000));
  }

  async #sendFrame(socket: Socket): Promise<void> {
    // Drops the image if the reader has not received the previous one.
    if (socket.writableLength > 0) return;
    const image = await this.#image();
    if (this.#frame === this.#environment.faults.get('crash-at')) process.kill(process.pid, 'SIGSEGV');
    socket.write(this.#applyFaults(image));
  }

  #applyFaults(image: Buffer): Buffer {
    if (this.#has('h264')) return Buffer.from([0, 0, 0, 1, 0x67, ...image.subarray(2, 2000)]);
    if (this.#has('truncated') && this.#frame % 3 === 0) return image.subarray(0, image.length / 2);
    if (this.#has('garbage') && this.#frame % 3 === 0) return Buffer.alloc(image.length, 'no picture');
    return image;
  }

  async #thumbnail(): Promise<Buffer> {
    const scene = new CameraScene(this.#args.thumbnail.width, this.#args.thumbnail.height);
    scene.draw(await this.#sceneState());
    return scene.picture.encode();
  }

  async #sceneState(): Promise<SceneState> {
    const time = new Date(this.#environment.clock.wallTime()).toISOString().slice(11, 19);
    return { frame: this.#frame, time, pose: await readPose(this.#environment.posePath) };
  }

  async #image(): Promise<Buffer> {
    this.#frame += 1;
    const { hflip, vflip, brightness } = this.#args;
    this.#scene.draw(await this.#sceneState());
    // Timestamp for latency measurements, from a clock that all processes share.
    const stamp = JSON.stringify({ seq: this.#frame, atNs: String(process.hrtime.bigint()) });
    const image = this.#scene.picture.encode({ hflip, vflip, brightness, comment: Buffer.from(stamp) });
    return padded(image, this.#environment.minBytes);
  }

  async #repeatTimeout(): Promise<void> {
    // Like the real program, ignores SIGINT while the camera hangs.
    process.on('SIGINT', () => undefined);
    for (;;) {
      this.#environment.logError('ERROR: Device timeout detected, attempting a restart!!!');
      await this.#wait(TIMEOUT_PERIOD_MS);
    }
  }

  async #forever(): Promise<void> {
    for (;;) await this.#wait(60_000);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#environment.clock.after(Math.max(0, ms), resolve));
  }
}

const MAX_COMMENT_BYTES = 65_000;

/** Inserts JPEG comments after the SOI marker until the image reaches `minBytes`. */
function padded(image: Buffer, minBytes: number): Buffer {
  const parts = [image.subarray(0, 2)];
  for (let missing = minBytes - image.length; missing > 4; missing -= MAX_COMMENT_BYTES + 4) {
    const length = Math.min(missing - 4, MAX_COMMENT_BYTES);
    parts.push(Buffer.from([0xff, 0xfe, (length + 2) >> 8, (length + 2) & 255]), Buffer.alloc(length, 32));
  }
  return Buffer.concat([...parts, image.subarray(2)]);
}

/** Inserts an EXIF thumbnail, which the second TIFF directory describes (EXIF 2.32, 4.5). */
function withThumbnail(image: Buffer, thumbnail: Buffer): Buffer {
  const first = Buffer.from([0, 0, 0, 0, 0, 14]);
  const directory = 2 + 3 * 12 + 4;
  const entries = [
    entry(0x0103, SHORT, 6 << 16),
    entry(0x0201, LONG, 14 + directory),
    entry(0x0202, LONG, thumbnail.length),
  ];
  const second = [Buffer.from([0, entries.length]), ...entries, Buffer.alloc(4)];
  const tiff = [Buffer.from('MM\0*\0\0\0\x08'), first, ...second, thumbnail];
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), Buffer.from('Exif\0\0'), ...tiff]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return Buffer.concat([image.subarray(0, 2), segment, image.subarray(2)]);
}

const SHORT = 3;
const LONG = 4;

/** A SHORT value is in the upper half of the value field. */
function entry(tag: number, type: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(tag, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(1, 4);
  bytes.writeUInt32BE(value, 8);
  return bytes;
}

/** Locks the camera, which only one process can use. Returns false if a live process holds the lock. */
function lockCamera(path: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      process.on('exit', () => rmSync(path, { force: true }));
      return true;
    } catch {
      if (isHeld(path)) return false;
      rmSync(path, { force: true });
    }
  }
  return false;
}

/** Also checks the command line, because the process ID may have been reused. */
function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('simulate-camera');
  } catch {
    return false;
  }
}
