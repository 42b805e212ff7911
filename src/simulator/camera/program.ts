import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../shared/ports/clock.js';
import { randomFrom } from '../physics/physics.js';
import { JpegEncoder } from './jpeg/encoder.js';
import { commentOf, padded, withThumbnail } from './jpeg/segments.js';
import { type CameraArguments, EXIT_MESSAGES, type SimulatedCameraFault } from './options.js';
import { Picture } from './render/picture.js';
import { Renderer } from './render/renderer.js';
import type { ScenePose, SceneState } from './scene.js';
import { SceneReader } from './scene-file.js';

interface CameraEnvironment {
  faults: ReadonlyMap<SimulatedCameraFault, number>;
  scenePath: string;
  lockPath: string;
  /** Smaller images are padded to this size, which is typical of a real camera. */
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

/** Simulates a camera program; performs the steps in the same order as the real programs. */
export class SimulatedCameraProgram {
  readonly #args: CameraArguments;
  readonly #environment: CameraEnvironment;
  readonly #scenes: SceneReader;
  readonly #random = randomFrom(1);
  readonly #renderer: Renderer;
  readonly #encoder: JpegEncoder;
  #frame = 0;
  #last: Buffer | undefined;

  constructor(args: CameraArguments, environment: CameraEnvironment) {
    this.#args = args;
    this.#environment = environment;
    const { width, height, brightness, quality } = args;
    this.#scenes = new SceneReader(environment.scenePath);
    this.#renderer = new Renderer({ width, height, brightness, random: this.#random });
    this.#encoder = new JpegEncoder(new Picture(width, height), quality);
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
    const elapsedMs = (): number => this.#environment.clock.now() - startMs;
    while (timeoutMs === 0 || elapsedMs() < timeoutMs) {
      const fromMs = elapsedMs();
      await this.#sendFrame(socket);
      const spentMs = elapsedMs() - fromMs;
      // Image times are multiples of the period, so that the frame rate does not drift. If an image takes
      // longer than half a period, fewer images are sent, to leave half of a processor core to the gateway.
      const nextMs = (Math.floor((fromMs * framerate) / 1000 + 0.5) + 1) * (1000 / framerate);
      await this.#wait(Math.max(nextMs - elapsedMs(), spentMs));
    }
    socket.destroy();
  }

  async still(): Promise<void> {
    if (this.#has('hang')) return this.#forever();
    await this.#openCamera();
    if (this.#has('noframes')) return this.#forever();
    await this.#wait(this.#args.timeoutMs);
    const scene = await this.#scenes.read();
    const image = withThumbnail(this.#image(scene), this.#thumbnail(scene));
    writeFileSync(this.#args.output, this.#has('truncated') ? image.subarray(0, image.length / 2) : image);
  }

  #has(fault: SimulatedCameraFault): boolean {
    return this.#environment.faults.has(fault);
  }

  /** Connects before opening the camera and accepts only numeric addresses, like the real programs. */
  async #connect(): Promise<Socket> {
    const [, host, port] = /^tcp:\/\/(\d+\.\d+\.\d+\.\d+):(\d+)$/.exec(this.#args.output) ?? [];
    if (!host) throw new Error('bad network address');
    // As in the real programs, a TCP RST makes the next write fail, but a FIN from the reader does not.
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
      if (this.#has(fault as SimulatedCameraFault)) throw new CameraExit(255, message);
    }
    if (!lockCamera(this.#environment.lockPath)) throw new CameraExit(255, EXIT_MESSAGES.busy);
    if (this.#has('flood')) this.#environment.logError('ERROR '.repeat(400_000));
  }

  async #sendFrame(socket: Socket): Promise<void> {
    // Drops the image if the reader has not received the previous one.
    if (socket.writableLength > 0) return;
    const scene = await this.#scenes.read();
    const { cameraFrozen, cameraDrops, cameraDelay = 0 } = scene?.faults ?? {};
    const isFrozen = cameraFrozen !== undefined;
    const image = (isFrozen ? this.#last : undefined) ?? this.#image(scene);
    this.#last = image;
    if (this.#frame === this.#environment.faults.get('crash-at')) process.kill(process.pid, 'SIGSEGV');
    if (cameraDrops !== undefined && this.#random() * cameraDrops < 1) return;
    const sent = this.#applyFaults(image);
    if (cameraDelay === 0) socket.write(sent);
    else this.#environment.clock.after(cameraDelay, () => void (socket.destroyed || socket.write(sent)));
  }

  #applyFaults(image: Buffer): Buffer {
    if (this.#has('h264')) return Buffer.from([0, 0, 0, 1, 0x67, ...image.subarray(2, 2000)]);
    if (this.#has('truncated') && this.#frame % 3 === 0) return image.subarray(0, image.length / 2);
    if (this.#has('garbage') && this.#frame % 3 === 0) return Buffer.alloc(image.length, 'no picture');
    return image;
  }

  #thumbnail(scene: SceneState | undefined): Buffer {
    const { width, height, quality } = this.#args.thumbnail;
    const { hflip, vflip, brightness } = this.#args;
    const renderer = new Renderer({ width, height, brightness, random: this.#random });
    const picture = renderer.draw(scene);
    picture.flip(hflip, vflip);
    return new JpegEncoder(new Picture(width, height), quality).encode(picture);
  }

  #image(scene: SceneState | undefined): Buffer {
    this.#frame += 1;
    const { hflip, vflip } = this.#args;
    const picture = this.#renderer.draw(scene);
    if (scene?.faults.cameraBlack === undefined) picture.write(this.#text(scene?.pose));
    picture.flip(hflip, vflip);
    // Timestamp for latency measurements, from a clock that all processes share.
    const stamp = JSON.stringify({ seq: this.#frame, atNs: String(process.hrtime.bigint()) });
    const image = this.#encoder.encode(picture, [commentOf(Buffer.from(stamp))]);
    return padded(image, this.#environment.minBytes);
  }

  #text(pose: ScenePose | null | undefined): string {
    const time = new Date(this.#environment.clock.wallTime()).toISOString().slice(11, 19);
    const text = `SIMULATED ${time} #${this.#frame}`;
    if (!pose) return text;
    const metres = (mm: number): string => (mm / 1000).toFixed(2);
    return `${text} X ${metres(pose.xMm)} Y ${metres(pose.yMm)} HEADING ${pose.headingDeg.toFixed(0)}`;
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

/** Checks the command line too, because another process may have reused the process ID. */
function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('simulate-camera');
  } catch {
    return false;
  }
}
