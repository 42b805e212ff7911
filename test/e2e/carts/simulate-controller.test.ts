import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { serialOpener } from '../../../src/adapters/serialport/serialport.js';
import {
  Deframer,
  encodeFrame,
  type Frame,
  type FrameBody,
  type FrameType,
} from '../../../src/carts/serial/codec/codec.js';
import type { ByteLink } from '../../../src/shared/ports/serial.js';
import { Signal } from '../../../src/shared/signal.js';
import { hasSocat, openPtyPair, type PtyPair } from '../../helpers/pty.js';

const test = suite('the controller simulator as a program');
const PROGRAM = fileURLToPath(new URL('../../../src/cli/simulate-controller.js', import.meta.url));
const SESSION = 60;
const log = { debug() {}, info() {}, warn() {}, error() {} };

type Output = Record<string, unknown> & { event: string };

interface Program {
  child: ChildProcess;
  /** Resolves with the first matching line, which may have been printed before the call. */
  until(matches: (line: Output) => boolean): Promise<Output>;
  type(line: string): void;
  end(): Promise<number | null>;
}

function start(...args: string[]): Program {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: Output[] = [];
  const news = new Signal<[Output]>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line: Output = JSON.parse(text);
    lines.push(line);
    news.emit(line);
  });
  const until: Program['until'] = (matches) => {
    const before = lines.find(matches);
    if (before) return Promise.resolve(before);
    return new Promise((resolve) => {
      const cancel = news.on((line) => {
        if (!matches(line)) return;
        cancel();
        resolve(line);
      });
    });
  };
  return {
    child,
    until,
    type: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      if (child.exitCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await exit;
      return code;
    },
  };
}

class Host {
  readonly #link: ByteLink;
  readonly #frames = new Signal<[Frame]>();
  #seq = 0;

  constructor(link: ByteLink) {
    this.#link = link;
    const deframer = new Deframer((frame) => this.#frames.emit(frame));
    link.onBytes((bytes) => deframer.push(bytes));
  }

  send(body: FrameBody): void {
    const ackReq = !(['HEARTBEAT', 'JOG'] as FrameType[]).includes(body.type);
    const seq = this.#seq++ & 0xff;
    this.#link.write(encodeFrame({ seq, session: SESSION, ackReq, reply: false, retry: false, ...body }));
  }

  next(matches: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve) => {
      const cancel = this.#frames.on((frame) => {
        if (!matches(frame)) return;
        cancel();
        resolve(frame);
      });
    });
  }

  async handshake(): Promise<Frame> {
    const answer = this.next((frame) => frame.type === 'HELLO_R');
    this.send({ type: 'HELLO', protoMin: 1, protoMax: 1, heartbeatTimeoutMs: 500, hostNonce: 7 });
    const reply = await answer;
    this.send({ type: 'HEARTBEAT', armed: true, timeoutMs: 500 });
    return reply;
  }

  move(distanceMm: number): void {
    const rest = { angleDdeg: 0, maxSpeedMmps: 300, ttlMs: 1500, maxDurationDs: 0 };
    this.send({ type: 'MOVE', wireId: 1, distanceMm, ...rest });
  }
}

let pair: PtyPair;
let program: Program | undefined;
const links: ByteLink[] = [];

async function openHost(): Promise<Host> {
  const link = await serialOpener({ path: pair.near, baudRate: 115_200, log }).open();
  links.push(link);
  return new Host(link);
}

async function startProgram(): Promise<Program> {
  program = start('--path', pair.far);
  await program.until(({ event }) => event === 'line.opened');
  return program;
}

test.before.each(async () => {
  pair = await openPtyPair();
});

test.after.each(async () => {
  await program?.end();
  program = undefined;
  await Promise.all(links.splice(0).map((link) => link.close()));
  await pair.close();
});

test('responds to HELLO as a simulated controller, drives, and exits with status 0 on SIGTERM', async () => {
  const running = await startProgram();
  const host = await openHost();
  const reply = await host.handshake();
  assert.ok(reply.type === 'HELLO_R' && reply.hostNonce === 7 && reply.caps & (1 << 15));
  const finished = host.next((frame) => frame.type === 'EVENT' && frame.event === 'finished');
  host.move(20);
  const event = await finished;
  assert.ok(event.type === 'EVENT' && event.finalMm === 20);
  await running.until(({ state, wireId }) => state === 'RUNNING' && wireId === 1);
  assert.equal(await running.end(), 0);
});

test('stops the cart and cuts its power when the host stops sending during a move', async () => {
  const running = await startProgram();
  const host = await openHost();
  await host.handshake();
  const started = host.next((frame) => frame.type === 'EVENT' && frame.event === 'started');
  host.move(10_000);
  await started;
  await running.until(({ state }) => state === 'LINK_LOST');
  const still = await running.until(({ state, enable }) => state === 'LINK_LOST' && enable === false);
  assert.equal(still.speed, 0);
});

test('reopens the serial line after it is cut and restored', async () => {
  const running = await startProgram();
  await pair.cut();
  await running.until(({ event }) => event === 'line.failed');
  const reopened = running.until(
    (
      (count) =>
      ({ event }: Output) =>
        event === 'line.opened' && ++count === 2
    )(0),
  );
  await pair.restore();
  await reopened;
  const reply = await (await openHost()).handshake();
  assert.ok(reply.type === 'HELLO_R');
});

test('accepts faults on standard input and responds to each with a line of JSON', async () => {
  const running = await startProgram();
  running.type('estop press');
  const answer = await running.until(({ event, state }) => event === 'console.answered' && state === 'ESTOP');
  assert.deepEqual(answer.estop, { pressed: true, latched: true });
  running.type('dance');
  assert.match(
    String((await running.until(({ error }) => error !== undefined)).error),
    /unknown command "dance"/,
  );
});

test('prints the usage and exits with status 2 when the arguments are invalid', async () => {
  const wrong = start('--dialect', 'klingon', '--path', pair.far);
  let output = '';
  wrong.child.stderr?.on('data', (piece) => {
    output += String(piece);
  });
  const [code] = await once(wrong.child, 'close');
  assert.equal(code, 2);
  assert.match(output, /unknown dialect "klingon"\n\nusage: /);
});

if (hasSocat) test.run();
else process.stdout.write('SKIPPED: the controller simulator as a program (socat is not installed)\n');
