import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Deframer,
  encodeFrame,
  type Frame,
  type FrameBody,
  type FrameHead,
} from '../../src/carts/serial/codec/codec.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const SKETCH = 'firmware/cgw1';
// Traps undefined behaviour and out-of-bounds indexes; needs no run-time library.
const SANITIZE = ['-fsanitize=undefined,bounds', '-fsanitize-undefined-trap-on-error'];
const STRICT = ['-std=c++11', '-O1', '-Wall', '-Wextra', '-Wconversion', '-Werror'];

/** Output event of the controller: a frame with its bytes, an enable level, or a linear and angular speed. */
export type HostEvent = { atMs: number } & (
  | { kind: 'frame'; wire: string; frame: Frame }
  | { kind: 'enable'; on: boolean }
  | { kind: 'drive'; speedMmps: number; omegaDdegps: number }
  | { kind: 'crc'; crc: string }
);

export function hasCompiler(): boolean {
  return spawnSync('g++', ['--version']).status === 0;
}

/**
 * Compiles the sketch against a stub of the Arduino core. Returns the compiler output, which is empty on
 * success.
 */
export function checkSketch(): string {
  const args = [
    '-fsyntax-only',
    '-x',
    'c++',
    '-include',
    'test/firmware/arduino/Arduino.h',
    `${SKETCH}/cgw1.ino`,
  ];
  return spawnSync('g++', [...STRICT, ...args], { cwd: root, encoding: 'utf8' }).stderr;
}

/** Builds the reference controller for this machine; `dispose` deletes the program. */
export function buildHost(): { program: string; dispose: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'cgw1-'));
  const program = join(folder, 'host');
  const parts = ['cgw1.cpp', 'cgw1_run.cpp', 'cgw1_wire.cpp'].map((name) => `${SKETCH}/${name}`);
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
  #steps: string[] = [];
  #seq = 100;

  constructor(program: string) {
    this.#program = program;
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
    const { status, signal, stdout } = spawnSync(this.#program, {
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
  if (kind === 'crc') return { atMs, kind, crc: first };
  const frames: Frame[] = [];
  new Deframer((frame) => frames.push(frame)).push(Buffer.from(first, 'hex'));
  const [frame] = frames;
  if (!frame) throw new Error(`the controller sent an invalid frame: ${line}`);
  return { atMs, kind: 'frame', wire: first, frame };
}
