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
import type { ByteLink } from '../../../src/shared/ports/ports.js';
import { Signal } from '../../../src/shared/signal.js';
import { hasSocat, layPtyPair, type PtyPair } from '../../helpers/pty.js';

const test = suite('the simulated controller as a program');
const PROGRAM = fileURLToPath(new URL('../../../src/cli/simulate-controller.js', import.meta.url));
const SESSION = 60;
const log = { debug() {}, info() {}, warn() {}, error() {} };

type Told = Record<string, unknown> & { event: string };

/** The program, and what it says. */
interface Program {
  child: ChildProcess;
  /** Resolves with the first line, said already or from now on, that `claim` holds for. */
  told(claim: (line: Told) => boolean): Promise<Told>;
  type(line: string): void;
  end(): Promise<number | null>;
}

function start(...args: string[]): Program {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: Told[] = [];
  const news = new Signal<[Told]>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line: Told = JSON.parse(text);
    lines.push(line);
    news.emit(line);
  });
  const told: Program['told'] = (claim) => {
    const before = lines.find(claim);
    if (before) return Promise.resolve(before);
    return new Promise((resolve) => {
      const cancel = news.on((line) => {
        if (!claim(line)) return;
        cancel();
        resolve(line);
      });
    });
  };
  return {
    child,
    told,
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

/** A host at the near end of the line. */
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

  next(claim: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve) => {
      const cancel = this.#frames.on((frame) => {
        if (!claim(frame)) return;
        cancel();
        resolve(frame);
      });
    });
  }

  async greet(): Promise<Frame> {
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
  await program.told(({ event }) => event === 'line.opened');
  return program;
}

test.before.each(async () => {
  pair = await layPtyPair();
});

test.after.each(async () => {
  await program?.end();
  program = undefined;
  await Promise.all(links.splice(0).map((link) => link.close()));
  await pair.close();
});

test('it answers HELLO over a real line, says that it is simulated, drives, and ends with 0 on SIGTERM', async () => {
  const running = await startProgram();
  const host = await openHost();
  const reply = await host.greet();
  assert.ok(reply.type === 'HELLO_R' && reply.hostNonce === 7 && reply.caps & (1 << 15));
  const finished = host.next((frame) => frame.type === 'EVENT' && frame.event === 'finished');
  host.move(20);
  const event = await finished;
  assert.ok(event.type === 'EVENT' && event.finalMm === 20);
  await running.told(({ state, wireId }) => state === 'RUNNING' && wireId === 1);
  assert.equal(await running.end(), 0);
});

test('a host that falls silent in mid-move is missed: the cart stops and loses its power', async () => {
  const running = await startProgram();
  const host = await openHost();
  await host.greet();
  const started = host.next((frame) => frame.type === 'EVENT' && frame.event === 'started');
  host.move(10_000);
  await started;
  await running.told(({ state }) => state === 'LINK_LOST');
  const still = await running.told(({ state, enable }) => state === 'LINK_LOST' && enable === false);
  assert.equal(still.speed, 0);
});

test('it finds its line again after the line was cut and mended', async () => {
  const running = await startProgram();
  await pair.cut();
  await running.told(({ event }) => event === 'line.failed');
  const reopened = running.told(
    (
      (count) =>
      ({ event }: Told) =>
        event === 'line.opened' && ++count === 2
    )(0),
  );
  await pair.mend();
  await reopened;
  const reply = await (await openHost()).greet();
  assert.ok(reply.type === 'HELLO_R');
});

test('faults are typed at it, and every answer is a line of JSON', async () => {
  const running = await startProgram();
  running.type('estop press');
  const answer = await running.told(({ event, state }) => event === 'console.answered' && state === 'ESTOP');
  assert.deepEqual(answer.estop, { pressed: true, latched: true });
  running.type('dance');
  assert.match(String((await running.told(({ error }) => error !== undefined)).error), /no command "dance"/);
});

test('wrong arguments end it with 2 and the usage', async () => {
  const wrong = start('--dialect', 'klingon', '--path', pair.far);
  let said = '';
  wrong.child.stderr?.on('data', (piece) => {
    said += String(piece);
  });
  const [code] = await once(wrong.child, 'close');
  assert.equal(code, 2);
  assert.match(said, /no dialect "klingon"\n\nusage: /);
});

if (hasSocat) test.run();
else process.stdout.write('SKIPPED: the simulated controller as a program needs socat\n');
