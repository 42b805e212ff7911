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
const SKETCH = 'docs/firmware/cgw1';
// Undefined behaviour and indexes out of bounds end the program; needs no library at run time.
const SANITIZE = ['-fsanitize=undefined,bounds', '-fsanitize-undefined-trap-on-error'];
const STRICT = ['-std=c++11', '-O1', '-Wall', '-Wextra', '-Wconversion', '-Werror'];

/** What the controller did: a frame (with its bytes), the enable output, or the wheels, and when (ms). */
export type Happening = { atMs: number } & (
  | { what: 'frame'; wire: string; frame: Frame }
  | { what: 'enable'; on: boolean }
  | { what: 'drive'; speedMmps: number; omegaDdegps: number }
  | { what: 'crc'; crc: string }
);

/** True when there is a C++ compiler here. */
export function hasCompiler(): boolean {
  return spawnSync('g++', ['--version']).status === 0;
}

/** Compiles the sketch itself against a stand-in of the Arduino core; the compiler's words, empty when it is content. */
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

/** The reference controller as a program on this machine; `dispose` takes it away. */
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
 * A conversation with a controller that has just been switched on. Nothing happens before `run`, which plays it from
 * the beginning: the controller knows no other time than the one in the script.
 */
export class Dialogue {
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

  /** One step of the script: see host.cpp. */
  step(name: string, argument: string | number): this {
    this.#steps.push(`${name} ${argument}`);
    return this;
  }

  /** Heartbeats every 100 ms for so long. */
  alive(ms: number, armed = true): this {
    for (let left = ms; left > 0; left -= 100) {
      this.send({ type: 'HEARTBEAT', armed, timeoutMs: 500 }).wait(Math.min(left, 100));
    }
    return this;
  }

  /** Shaken hands and armed. */
  ready(): this {
    return this.send({
      type: 'HELLO',
      protoMin: 1,
      protoMax: 1,
      heartbeatTimeoutMs: 500,
      hostNonce: 7,
    }).alive(100);
  }

  run(): Happening[] {
    const input = `${this.#steps.join('\n')}\n`;
    const { status, signal, stdout } = spawnSync(this.#program, {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`the controller died: ${signal ?? status}`);
    return stdout.trimEnd().split('\n').filter(Boolean).map(parse);
  }
}

function parse(line: string): Happening {
  const [at = '', what = '', first = '', second = ''] = line.split(' ');
  const atMs = Number(at);
  if (what === 'enable') return { atMs, what, on: first === '1' };
  if (what === 'drive') return { atMs, what, speedMmps: Number(first), omegaDdegps: Number(second) };
  if (what === 'crc') return { atMs, what, crc: first };
  const frames: Frame[] = [];
  new Deframer((frame) => frames.push(frame)).push(Buffer.from(first, 'hex'));
  const [frame] = frames;
  if (!frame) throw new Error(`the controller sent what is no frame: ${line}`);
  return { atMs, what: 'frame', wire: first, frame };
}
