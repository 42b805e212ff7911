import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openImageSource } from '../../../src/app/composition/camera.js';
import type { CameraView, Image, ImageSource } from '../../../src/camera/capture/model.js';
import type { CameraSettings } from '../../../src/camera/capture/schema.js';
import { defaultSettings } from '../../../src/settings/schema/schema.js';
import { systemClock } from '../../../src/shared/clock.js';
import type { SceneState } from '../../../src/simulator/camera/scene.js';
import { RecordingLog } from '../../helpers/recording-log.js';

export const SIMULATED_CAMERA = fileURLToPath(
  new URL('../../../src/cli/simulate-camera.js', import.meta.url),
);

const MOUNT = { xMm: 250, yMm: 0, headingDeg: 0 };
export const EMPTY_SCENE: SceneState = {
  pose: null,
  mount: MOUNT,
  walls: [],
  markers: [],
  carts: [],
  faults: {},
};

const BEFORE = { ...process.env };
const CHANGED = ['PATH', 'RUNTIME_DIRECTORY', 'CARTWRIGHT_CAMERA_FAULT'];

export class CameraHarness {
  readonly dir: string;
  readonly log = new RecordingLog();
  readonly settings = defaultSettings();
  readonly frames: Image[] = [];
  #source: ImageSource | undefined;

  private constructor(dir: string) {
    this.dir = dir;
    process.env.RUNTIME_DIRECTORY = dir;
  }

  static async make(camera: Partial<CameraSettings> = {}): Promise<CameraHarness> {
    const harness = new CameraHarness(await mkdtemp(join(tmpdir(), 'camera-')));
    await mkdir(join(harness.dir, 'camera'), { mode: 0o700 });
    await mkdir(join(harness.dir, 'bin'));
    Object.assign(harness.settings.camera, { mode: 'simulated', width: 320, height: 240 }, camera);
    return harness;
  }

  get source(): ImageSource {
    if (!this.#source) throw new Error('the camera is not open');
    return this.#source;
  }

  async open(scene: () => SceneState = () => EMPTY_SCENE) {
    const { settings, log, dir } = this;
    const settingsSource = { current: settings, onChange: () => () => undefined };
    const machine = { isRaspberryPi: true };
    this.#source = await openImageSource({
      settings: settingsSource,
      machine,
      scene,
      isMoving: () => false,
      dataDir: dir,
      clock: systemClock,
      log,
    });
    this.#source.onImage((frame) => this.frames.push(frame));
    return this.#source;
  }

  /** Installs shell scripts as programs and limits PATH to the scripts' directory, /usr/bin and /bin. */
  async install(scripts: Record<string, string>): Promise<void> {
    const bin = join(this.dir, 'bin');
    for (const [name, script] of Object.entries(scripts)) {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(bin, name), 0o755);
    }
    process.env.PATH = `${bin}:/usr/bin:/bin`;
  }

  until(claim: (view: CameraView) => boolean): Promise<CameraView> {
    return new Promise((resolve) => {
      const check = (): void => {
        const view = this.source.view();
        if (!claim(view)) return;
        cancel();
        resolve(view);
      };
      const cancel = this.source.onChange(check);
      check();
    });
  }

  frame(claim: (frame: Image) => boolean = () => true): Promise<Image> {
    return new Promise((resolve) => {
      const cancel = this.source.onImage((frame) => {
        if (!claim(frame)) return;
        cancel();
        resolve(frame);
      });
    });
  }

  async pid(): Promise<number> {
    for (;;) {
      const [pid] = textOf(join(this.dir, 'camera/camera.pid')).split(' ');
      if (pid) return Number(pid);
      await turn();
    }
  }

  async close(): Promise<void> {
    await this.#source?.close();
    for (const name of CHANGED) {
      const value = BEFORE[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await rm(this.dir, { recursive: true, force: true });
  }
}

/** Waits until a process has exited. A zombie process counts as exited. */
export async function untilGone(pid: number): Promise<void> {
  while (textOf(`/proc/${pid}/cmdline`) !== '') await turn();
}

export function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(textOf(`/proc/${pid}/stat`))?.[1]);
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the sequence number and time that the simulated camera writes into each image. */
export function stampOf(jpeg: Buffer): { seq: number; atNs: bigint } {
  const [, seq, atNs] = /\{"seq":(\d+),"atNs":"(\d+)"\}/.exec(jpeg.toString('latin1', 0, 200)) ?? [];
  return { seq: Number(seq), atNs: BigInt(atNs ?? 0) };
}

/** Returns the width and height from a baseline JPEG's frame header. */
export function sizeOf(jpeg: Buffer): [width: number, height: number] {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
}

/** Returns the coded data after the last restart marker, which is the last 16 rows of pixels. */
export function lastRowOf(jpeg: Buffer): Buffer {
  let at = jpeg.length - 2;
  while (!(jpeg[at] === 0xff && (jpeg[at + 1] ?? 0) >> 3 === 0xd0 >> 3)) at -= 1;
  return jpeg.subarray(at + 2);
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
