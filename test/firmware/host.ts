import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cobsDecode,
  crc16,
  Deframer,
  encodeFrame,
  type Frame,
  type FrameBody,
  type FrameHead,
} from '../../src/carts/serial/codec/codec.js';
import { packageRoot } from '../../src/shared/package-root.js';

const root = packageRoot();
const SKETCH = 'firmware/cgw1';
// Traps undefined behaviour and out-of-bounds indexes; needs no run-time library.
const SANITIZE = ['-fsanitize=undefined,bounds', '-fsanitize-undefined-trap-on-error'];
const STRICT = ['-std=c++11', '-O1', '-Wall', '-Wextra', '-Wconversion', '-Werror'];

/**
 * Output event of the controller: a frame with its bytes, an enable level, a linear and angular speed, or the
 * wheels' actual speeds.
 */
export type HostEvent = { atMs: number } & (
  | { kind: 'frame'; wire: string; frame: Frame }
  /** A frame that the codec cannot decode. */
  | { kind: 'raw'; wire: string }
  | { kind: 'enable'; on: boolean }
  | { kind: 'drive'; speedMmps: number; omegaDdegps: number }
  | { kind: 'speed'; leftMmps: number; rightMmps: number }
  | { kind: 'crc'; crc: string }
);

/** Decodes a frame, without its delimiter and its CRC. Throws if the CRC is wrong. */
export function rawFrame(hex: string): Uint8Array {
  const bytes = cobsDecode(Buffer.from(hex, 'hex').subarray(0, -1)) ?? new Uint8Array();
  const raw = bytes.subarray(0, -2);
  const crc = crc16(raw);
  if (bytes.at(-2) !== (crc & 0xff) || bytes.at(-1) !== crc >> 8) throw new Error(`wrong CRC: ${hex}`);
  return raw;
}

export function hasCompiler(): boolean {
  return spawnSync('g++', ['--version']).status === 0;
}

/**
 * Compiles the sketch against a stub of the Arduino core. Returns the compiler output, which is empty on
 * success.
 */
export function checkSketch(): string {
  const files = ['cgw1.ino', 'board_wheels.cpp', 'board_sensors.cpp'].map((name) => `${SKETCH}/${name}`);
  const args = ['-fsyntax-only', '-I', 'test/firmware/arduino', '-x', 'c++', ...files];
  return spawnSync('g++', [...STRICT, ...args], { cwd: root, encoding: 'utf8' }).stderr;
}

/** Builds the reference controller for this machine; `dispose` deletes the program. */
export function buildHost(): { program: string; dispose: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'cgw1-'));
  const program = join(folder, 'host');
  const parts = ['cgw1.cpp', 'cgw1_run.cpp', 'cgw1_wire.cpp', 'cgw1_field.cpp', 'cgw1_wheel.cpp'].map(
    (name) => `${SKETCH}/${name}`,
  );
  const args = [...STRICT, ...SANITIZE, '-o', program, 'test/firmware/host.cpp', ...parts];
  const { status, stderr } = spawnSync('g++', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the firmware does not compile:\n${stderr}`);
  return { program, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Scripted inputs for a controller that has just been switched on. `run` executes the script in simulated
 * time.
 */
export class ControllerScript {
  readonly session = 0x3c;
  #program: string;
  #options: string[];
  #steps: string[] = [];
  #seq = 100;

  /** If `field` is true, the controller has a protective field with a front sensor and a rear sensor. */
  constructor(program: string, { field = false } = {}) {
    this.#program = program;
    this.#options = field ? ['--field'] : [];
  }

  send(body: FrameBody, head: Partial<FrameHead> = {}): this {
    const { session } = this;
    const ackReq = body.type !== 'HEARTBEAT' && body.type !== 'JOG';
    const frame = { seq: this.#seq++ & 0xff, session, ackReq, reply: false, retry: false, ...head, ...body };
    return this.bytes(encodeFrame(frame));
  }

  bytes(wire: Uint8Array): this {
    return this.step('rx', Buffer.from(wire).toString('hex'));
  }

  wait(ms: number): this {
    return this.step('wait', ms);
  }

  /** Adds one step to the script; host.cpp defines the steps. */
  step(name: string, argument: string | number): this {
    this.#steps.push(`${name} ${argument}`);
    return this;
  }

  /** Sends a heartbeat every 100 ms for `ms` milliseconds. */
  heartbeats(ms: number, armed = true): this {
    for (let left = ms; left > 0; left -= 100) {
      this.send({ type: 'HEARTBEAT', armed, timeoutMs: 500 }).wait(Math.min(left, 100));
    }
    return this;
  }

  /** Performs the handshake and arms the controller. */
  ready(): this {
    return this.send({
      type: 'HELLO',
      protoMin: 1,
      protoMax: 1,
      heartbeatTimeoutMs: 500,
      hostNonce: 7,
    }).heartbeats(100);
  }

  run(): HostEvent[] {
    const input = `${this.#steps.join('\n')}\n`;
    const { status, signal, stdout } = spawnSync(this.#program, this.#options, {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`the controller crashed: ${signal ?? status}`);
    return stdout.trimEnd().split('\n').filter(Boolean).map(parse);
  }
}

function parse(line: string): HostEvent {
  const [at = '', kind = '', first = '', second = ''] = line.split(' ');
  const atMs = Number(at);
  if (kind === 'enable') return { atMs, kind, on: first === '1' };
  if (kind === 'drive') return { atMs, kind, speedMmps: Number(first), omegaDdegps: Number(second) };
  if (kind === 'speed') return { atMs, kind, leftMmps: Number(first), rightMmps: Number(second) };
  if (kind === 'crc') return { atMs, kind, crc: first };
  const frames: Frame[] = [];
  new Deframer((frame) => frames.push(frame)).push(Buffer.from(first, 'hex'));
  const [frame] = frames;
  rawFrame(first);
  if (!frame) return { atMs, kind: 'raw', wire: first };
  return { atMs, kind: 'frame', wire: first, frame };
}
