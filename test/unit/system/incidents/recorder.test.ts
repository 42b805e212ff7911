import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import type { SafetyEvent } from '../../../../src/carts/control/estop-control.js';
import { encodeFrame } from '../../../../src/carts/serial/codec/codec.js';
import { actorName, userActor } from '../../../../src/shared/actor.js';
import { Signal } from '../../../../src/shared/signal.js';
import { describeFrames } from '../../../../src/system/incidents/describe-frames.js';
import { recordStops } from '../../../../src/system/incidents/recorder.js';
import { cart } from '../../app/api/samples.js';

const HEAD = { seq: 7, session: 3, ackReq: false, reply: false, retry: false };
const BEAT = encodeFrame({ ...HEAD, type: 'HEARTBEAT', armed: true, timeoutMs: 500 });
const at = (ms: number): string => new Date(ms).toISOString();
const chunk = (ms: number, direction: 'out' | 'in', bytes: Uint8Array) => ({
  time: at(ms),
  direction,
  bytes,
});

test('records a repeated press only while the cart is moving, and every press that latches', () => {
  const safety = new Signal<[SafetyEvent]>();
  const saved: string[] = [];
  let moving = false;
  recordStops(
    { freeze: (cause, by) => void saved.push(`${cause} ${actorName(by)}`), addCommand: () => undefined },
    {
      cart: { onSafety: safety.on.bind(safety), view: () => ({ ...cart(1), moving }) },
      dispatcher: { onCommand: () => () => undefined, onOwnCommand: () => () => undefined },
    },
  );
  const press = (by: string, repeated: boolean): void =>
    safety.emit({ cartID: 1, kind: 'estop.latched', by: userActor(by), repeated });
  press('anna', false);
  for (let n = 0; n < 1000; n += 1) press('carla', true);
  assert.deepEqual(saved, ['estop anna']);
  moving = true;
  press('bram', true);
  assert.deepEqual(saved, ['estop anna', 'estop bram']);
});

for (const [code, text, states, saved] of [
  ['OBSTACLE', 'obstacle ahead', ['SENT', 'RUNNING', 'FAILED'], ['protective-stop obstacle ahead']],
  ['SENSOR_SILENT', 'sensor 2', ['SENT', 'ACKNOWLEDGED', 'FAILED'], ['protective-stop sensor 2']],
  ['SERIAL_LOST', 'no serial line', ['SENT', 'RUNNING', 'FAILED'], ['link-loss no serial line']],
  ['OBSTACLE', 'obstacle ahead', ['SENT', 'FAILED'], []],
  ['LOOP_LAG', 'recorded as an event', ['SENT', 'RUNNING', 'FAILED'], []],
] as const) {
  test(`records ${saved.length} stops for a command with the states ${states.join(', ')} and the code ${code}`, () => {
    const commands = new Signal<[Command]>();
    const found: string[] = [];
    recordStops(
      { freeze: (cause, by) => void found.push(`${cause} ${actorName(by)}`), addCommand: () => undefined },
      {
        cart: { onSafety: () => () => undefined, view: () => cart(1) },
        dispatcher: { onCommand: () => () => undefined, onOwnCommand: commands.on.bind(commands) },
      },
    );
    const transitions = states.map((state) => ({ state, atMs: 0 }));
    commands.emit({ state: 'FAILED', reason: { code, text }, transitions } as unknown as Command);
    assert.deepEqual(found, saved);
  });
}

test('describes a frame by name, fields and bytes, with the time of its last chunk', () => {
  const chunks = [chunk(1, 'out', BEAT.subarray(0, 3)), chunk(2, 'out', BEAT.subarray(3))];
  const [line = '', ...more] = [...describeFrames(chunks, 'cgw1')];
  assert.deepEqual(more, []);
  assert.match(line, /^1970-01-01T00:00:00\.002Z out +HEARTBEAT seq=7 session=3 .*armed=true timeoutMs=500 /);
  assert.ok(line.endsWith(Buffer.from(BEAT).toString('hex')));
});

test('describes two frames in one chunk separately, and handles each direction independently', () => {
  const chunks = [
    chunk(1, 'in', BEAT.subarray(0, 4)),
    chunk(2, 'out', Buffer.concat([BEAT, BEAT])),
    chunk(3, 'in', BEAT.subarray(4)),
  ];
  const lines = [...describeFrames(chunks, 'cgw1')];
  assert.deepEqual(
    lines.map((line) => line.slice(20, 38).trim()),
    ['002Z out HEARTBEAT', '002Z out HEARTBEAT', '003Z in  HEARTBEAT'].map((line) =>
      line.slice(0, 19).trim(),
    ),
  );
});

test('marks a damaged frame and continues with the next frame', () => {
  const damaged = Uint8Array.from(BEAT);
  damaged[5] = (damaged[5] ?? 0) ^ 0x40 || 1;
  const lines = [...describeFrames([chunk(1, 'in', damaged), chunk(2, 'in', BEAT)], 'cgw1')];
  assert.match(lines[0] ?? '', / in {2}damaged \(\w+\) /);
  assert.match(lines[1] ?? '', / in {2}HEARTBEAT /);
});

test('removes control characters from JSON lines', () => {
  const line = Buffer.from('{"t":"HB"}\x07\n');
  assert.match([...describeFrames([chunk(1, 'out', line)], 'json-lines')][0] ?? '', / out +\{"t":"HB"\} /);
});

test('prints one line per chunk if the protocol has no frame delimiters', () => {
  const chunks = [
    chunk(1, 'out', Uint8Array.of(0x80, 8, 64, 0xfa, 0x37)),
    chunk(2, 'in', Uint8Array.of(0xff)),
  ];
  assert.deepEqual(
    [...describeFrames(chunks, 'roboclaw')],
    ['1970-01-01T00:00:00.001Z out 800840fa37', '1970-01-01T00:00:00.002Z in  ff'],
  );
});

test('limits the output for noise without frame delimiters', () => {
  const noise = Array.from({ length: 100 }, (_, n) => chunk(n, 'in', new Uint8Array(100).fill(0x55)));
  assert.ok([...describeFrames([...noise, chunk(200, 'in', Uint8Array.of(0))], 'cgw1')].join().length < 4000);
});

test.run();
