import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../shared/ports/ports.js';
import { type CameraArguments, type CameraFault, LAST_WORDS } from './options.js';
import { CameraScene, readPose, type SceneMoment } from './scene.js';

/** What the simulated camera needs to know beside its arguments. */
interface CameraSurroundings {
  faults: ReadonlyMap<CameraFault, number>;
  /** Files: the cart's place, and who has the camera. */
  posePath: string;
  lockPath: string;
  /** Every image is made at least this long, in bytes, as those of a real camera are. */
  leastBytes: number;
  clock: Clock;
  say(line: string): void;
}

/** An end with the status and the last words of the real programs. */
export class CameraExit extends Error {
  readonly status: number;

  constructor(status: number, words = '') {
    super(words);
    this.status = status;
  }
}

const SLOW_OPEN_MS = 2000;
const TIMEOUT_PERIOD_MS = 1000;

/** One of the camera programs, simulated: it does in order what the real one does. */
export class CameraProgram {
  readonly #args: CameraArguments;
  readonly #at: CameraSurroundings;
  readonly #scene: CameraScene;
  #frame = 0;

  constructor(args: CameraArguments, surroundings: CameraSurroundings) {
    this.#args = args;
    this.#at = surroundings;
    this.#scene = new CameraScene(args.width, args.height);
  }

  /** Never resolves before the program ends; rejects with `CameraExit`, or with a sentence for status 255. */
  async stream(): Promise<void> {
    if (this.#has('hang')) return this.#forever();
    const socket = await this.#connect();
    await this.#openCamera();
    if (this.#has('noframes')) return this.#forever();
    if (this.#has('devtimeout')) return this.#repeatTimeout();
    const startMs = this.#at.clock.now();
    const { timeoutMs, framerate } = this.#args;
    // From the start, not from the last: the rate is kept.
    for (let turn = 1; timeoutMs === 0 || this.#at.clock.now() - startMs < timeoutMs; turn++) {
      await this.#sendFrame(socket);
      await this.#wait(startMs + (turn * 1000) / framerate - this.#at.clock.now());
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
    return this.#at.faults.has(fault);
  }

  /** The programs connect before they open the camera, and know addresses in digits only. */
  async #connect(): Promise<Socket> {
    const [, host, port] = /^tcp:\/\/(\d+\.\d+\.\d+\.\d+):(\d+)$/.exec(this.#args.output) ?? [];
    if (!host) throw new Error('bad network address');
    // A polite end of the reader is not noticed; a reset is, by the next write.
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
    for (const [fault, words] of Object.entries(LAST_WORDS)) {
      if (this.#has(fault as CameraFault)) throw new CameraExit(255, words);
    }
    if (!takeCamera(this.#at.lockPath)) throw new CameraExit(255, LAST_WORDS.busy);
    if (this.#has('flood')) this.#at.say('ERROR '.repeat(400_000));
  }

  async #sendFrame(socket: Socket): Promise<void> {
    // What the reader has not taken yet is not followed by more: pictures are dropped at the source.
    if (socket.writableLength > 0) return;
    const image = await this.#image();
    if (this.#frame === this.#at.faults.get('crash-at')) process.kill(process.pid, 'SIGSEGV');
    socket.write(this.#spoil(image));
  }

  #spoil(image: Buffer): Buffer {
    if (this.#has('h264')) return Buffer.from([0, 0, 0, 1, 0x67, ...image.subarray(2, 2000)]);
    if (this.#has('truncated') && this.#frame % 3 === 0) return image.subarray(0, image.length / 2);
    if (this.#has('garbage') && this.#frame % 3 === 0) return Buffer.alloc(image.length, 'no picture');
    return image;
  }

  async #thumbnail(): Promise<Buffer> {
    const scene = new CameraScene(this.#args.thumbnail.width, this.#args.thumbnail.height);
    scene.draw(await this.#moment());
    return scene.picture.encode();
  }

  async #moment(): Promise<SceneMoment> {
    const time = new Date(this.#at.clock.wallTime()).toISOString().slice(11, 19);
    return { frame: this.#frame, time, pose: await readPose(this.#at.posePath) };
  }

  async #image(): Promise<Buffer> {
    this.#frame += 1;
    const { hflip, vflip, brightness } = this.#args;
    this.#scene.draw(await this.#moment());
    // For measurements: which picture this is, and when it was taken on the clock that all processes share.
    const stamp = JSON.stringify({ seq: this.#frame, atNs: String(process.hrtime.bigint()) });
    const image = this.#scene.picture.encode({ hflip, vflip, brightness, comment: Buffer.from(stamp) });
    return padded(image, this.#at.leastBytes);
  }

  async #repeatTimeout(): Promise<void> {
    // A camera that hangs takes no notice of this signal either.
    process.on('SIGINT', () => undefined);
    for (;;) {
      this.#at.say('ERROR: Device timeout detected, attempting a restart!!!');
      await this.#wait(TIMEOUT_PERIOD_MS);
    }
  }

  async #forever(): Promise<void> {
    for (;;) await this.#wait(60_000);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#at.clock.after(Math.max(0, ms), resolve));
  }
}

const LONGEST_COMMENT = 65_000;

/** Comment segments behind the first two bytes, until the image is long enough. */
function padded(image: Buffer, leastBytes: number): Buffer {
  const parts = [image.subarray(0, 2)];
  for (let missing = leastBytes - image.length; missing > 4; missing -= LONGEST_COMMENT + 4) {
    const length = Math.min(missing - 4, LONGEST_COMMENT);
    parts.push(Buffer.from([0xff, 0xfe, (length + 2) >> 8, (length + 2) & 255]), Buffer.alloc(length, 32));
  }
  return Buffer.concat([...parts, image.subarray(2)]);
}

/**
 * Puts a small picture into the EXIF part of a JPEG, where rpicam-still puts one (EXIF 2.32, 4.5): two directories of a
 * TIFF, the first one empty, the second with the thumbnail's kind, place and length.
 */
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

/** One value of a directory; a short one stands in the upper half of its four bytes. */
function entry(tag: number, type: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(tag, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(1, 4);
  bytes.writeUInt32BE(value, 8);
  return bytes;
}

/**
 * Takes the simulated camera, which one process has at a time, as the real one. Answers false when another one has it;
 * one that is dead has it no
 * more, also when its number is another process's by now.
 */
function takeCamera(path: string): boolean {
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

function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('simulate-camera');
  } catch {
    return false;
  }
}
