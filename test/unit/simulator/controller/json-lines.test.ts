import assert from 'node:assert/strict';
import { test } from 'uvu';
import { encodeLine, LineReader } from '../../../../src/carts/serial/codec/json-lines.js';
import { SimulatedController } from '../../../../src/simulator/controller/controller.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

type Line = Record<string, unknown>;

function host() {
  const clock = new FakeClock();
  const controller = new SimulatedController({ clock, dialect: 'json-lines' });
  const lines: Line[] = [];
  const reader = new LineReader((line) => lines.push(line as Line), { requireChecksum: true });
  controller.onSend((bytes) => reader.push(bytes));
  const send = (line: Line, checksum = true) =>
    controller.receive(encodeLine({ v: 1, ...line }, { checksum }));
  const ofType = (t: string) => lines.filter((line) => line.t === t);
  const heartbeatFor = (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      clock.advance(100);
      send({ t: 'hb', arm: 1, hb: 500 });
      for (const event of ofType('event')) send({ t: 'ack', seq: event.seq, of: 'EVENT', id: event.id });
    }
  };
  const ready = () => {
    send({ t: 'hello', seq: 1, min: 1, max: 1, hb: 500, n: 77 });
    send({ t: 'hb', arm: 1, hb: 500 });
  };
  return { clock, controller, lines, reader, send, ofType, heartbeatFor, ready };
}

test('completes a handshake and a move', () => {
  const { controller, send, ofType, heartbeatFor, ready } = host();
  ready();
  assert.equal(ofType('hello')[0]?.n, 77);
  send({ t: 'move', id: 42, seq: 7, d: 300, a: -900, s: 300, ttl: 1500 });
  const ack = ofType('ack')[0];
  assert.deepEqual([ack?.seq, ack?.id, ack?.of], [7, 42, 'MOVE']);
  heartbeatFor(6000);
  assert.deepEqual(
    ofType('event')
      .filter((event) => !event.re)
      .map((event) => event.e),
    ['started', 'finished'],
  );
  const { y, heading } = controller.snapshot();
  assert.deepEqual([Math.round(y), Math.round(heading)], [-300, -90]);
});

test('sends every line with a checksum, but accepts lines without one', () => {
  const { reader, send, ofType } = host();
  send({ t: 'hello', seq: 1, min: 1, max: 1, hb: 500, n: 5 }, false);
  assert.equal(ofType('hello').length, 1);
  assert.deepEqual(reader.counters, { overlong: 0, notJson: 0, checksum: 0 });
});

test('stops the cart when the heartbeat times out', () => {
  const { clock, controller, send, ofType, heartbeatFor, ready } = host();
  ready();
  send({ t: 'move', id: 1, seq: 2, d: 5000, a: 0, s: 300, ttl: 1500 });
  heartbeatFor(1000);
  clock.advance(1200);
  assert.deepEqual([controller.snapshot().speed, controller.snapshot().enable], [0, false]);
  assert.equal(ofType('status').at(-1)?.st, 'LINK_LOST');
  send({ t: 'move', id: 2, seq: 3, d: 100, a: 0, s: 300, ttl: 1500 });
  assert.equal(ofType('nack').at(-1)?.c, 'BAD_SESSION');
});

test("rejects an invalid value or an unknown command, and returns the line's sequence number", () => {
  const { send, ofType, ready } = host();
  ready();
  send({ t: 'move', id: 1, seq: 9, d: 1.5 });
  send({ t: 'dance', seq: 10 });
  assert.deepEqual(
    ofType('nack').map(({ seq, c }) => [seq, c]),
    [
      [9, 'RANGE'],
      [10, 'UNKNOWN_TYPE'],
    ],
  );
});

test('ignores and counts a line with an incorrect checksum', () => {
  const { controller, clock, ofType } = host();
  for (let count = 0; count < 10; count++)
    controller.receive(Buffer.from('{"v":1,"t":"estop","seq":1}*0000\n'));
  assert.equal(controller.snapshot().estop.latched, false);
  clock.advance(500);
  assert.equal(Number(ofType('status').at(-1)?.f), 1 << 10);
});

test('executes a plain line, as sent to an Arduino sketch, until a newer line replaces it', () => {
  const { clock, controller } = host();
  const plain = (distanceID: number, angleID: number) =>
    controller.receive(encodeLine({ cartID: 1, distanceID, angleID }, { checksum: false }));
  plain(1000, 90);
  clock.advance(8000);
  assert.equal(Math.round(controller.snapshot().y), 1000);
  plain(5000, 0);
  clock.advance(1000);
  plain(0, 0);
  clock.advance(1000);
  assert.equal(controller.snapshot().speed, 0);
  assert.ok(controller.snapshot().y < 1500);
});

test.run();
