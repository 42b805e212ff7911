import assert from 'node:assert/strict';
import { test } from 'uvu';
import { SimulatedController } from '../../../../src/simulator/controller/controller.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { crcByBits } from '../../carts/serial/board-decoders.js';

/** Returns a simulated board; `send` takes hex bytes, and `sent` contains the board's output. */
function board(dialect: 'roboclaw' | 'sabertooth') {
  const clock = new FakeClock();
  const controller = new SimulatedController({ clock, dialect });
  const sent: number[] = [];
  controller.onSend((bytes) => sent.push(...bytes));
  const send = (text: string) => controller.receive(Buffer.from(text.replaceAll(' ', ''), 'hex'));
  return { clock, controller, sent, send };
}

const FORWARD = { roboclaw: '80 08 40 fa 37', sabertooth: '80 08 40 48' };
const STRAIGHT = { roboclaw: roboclaw(10, 0), sabertooth: '80 0a 00 0a' };
const TIMEOUT = { roboclaw: '80 0e 05 48 f0', sabertooth: '80 0e 05 13' };
const STAND = { roboclaw: '80 0c 40 36 f3 80 0d 40 05 c2', sabertooth: '80 0c 40 4c 80 0d 40 4d' };

function roboclaw(command: number, value: number): string {
  const crc = crcByBits([0x80, command, value]);
  return Buffer.from([0x80, command, value, crc >> 8, crc & 0xff]).toString('hex');
}

for (const kind of ['roboclaw', 'sabertooth'] as const) {
  test(`a simulated ${kind} moves only after both speeds are set, and stops when both are zero`, () => {
    const { clock, controller, send } = board(kind);
    send(FORWARD[kind]);
    clock.advance(1000);
    assert.equal(controller.snapshot().speed, 0);
    send(STRAIGHT[kind]);
    clock.advance(1000);
    assert.ok(Math.abs(controller.snapshot().speed - (64 / 127) * 1000) < 1);
    send(STAND[kind]);
    clock.advance(500);
    assert.equal(controller.snapshot().speed, 0);
    controller.close();
  });

  test(`a simulated ${kind} stops when packets stop only if a serial timeout is set, and then stays stopped`, () => {
    const { clock, controller, send } = board(kind);
    send(FORWARD[kind] + STRAIGHT[kind]);
    clock.advance(10_000);
    assert.ok(controller.snapshot().speed > 0);
    send(TIMEOUT[kind]);
    clock.advance(450);
    assert.ok(controller.snapshot().speed > 0);
    clock.advance(250);
    assert.deepEqual([controller.snapshot().speed, controller.snapshot().state], [0, 'LINK_LOST']);
    send(FORWARD[kind]);
    clock.advance(300);
    assert.equal(controller.snapshot().speed, 0, 'both speeds are needed again');
    controller.close();
  });

  test(`a simulated ${kind} ignores packets with an incorrect checksum or a different address`, () => {
    const { clock, controller, send } = board(kind);
    send(STRAIGHT[kind]);
    const good = Buffer.from(FORWARD[kind].replaceAll(' ', ''), 'hex');
    for (let bit = 0; bit < good.length * 8; bit++) {
      const bad = Buffer.from(good);
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      clock.advance(20);
      controller.receive(bad);
    }
    clock.advance(1000);
    assert.equal(controller.snapshot().motions, 0);
    controller.receive(good);
    assert.equal(controller.snapshot().motions, 1, 'the intact packet starts a motion');
    controller.close();
  });
}

test('the replies of a simulated RoboClaw match the layout in the manual', () => {
  const { sent, send } = board('roboclaw');
  const query = (command: number): number[] => {
    sent.length = 0;
    send(Buffer.from([0x80, command]).toString('hex'));
    assert.equal(crcByBits([0x80, command, ...sent]), 0, 'the CRC covers address, command and data');
    return sent.slice(0, -2);
  };
  send(TIMEOUT.roboclaw);
  assert.deepEqual(sent, [0xff]);
  assert.deepEqual(query(15), [5]);
  assert.match(Buffer.from(query(21)).toString('latin1'), /^RoboClaw .*\n\0$/);
  assert.equal(query(24).length, 2);
  assert.equal(query(82).length, 2);
  assert.deepEqual(query(90), [0, 0, 0, 0]);
});

test('a simulated RoboClaw discards a packet with a gap of more than 10 ms between bytes', () => {
  const { clock, sent, send } = board('roboclaw');
  send('80 0e');
  clock.advance(11);
  send('05 48 f0');
  assert.deepEqual(sent, []);
  clock.advance(11);
  send('80 0e');
  clock.advance(9);
  send('05 48 f0');
  assert.deepEqual(sent, [0xff]);
});

test('a simulated Sabertooth never sends anything', () => {
  const { clock, sent, send, controller } = board('sabertooth');
  send('aa 80 5a 80 15 80 0e 05 13');
  clock.advance(1000);
  controller.reset();
  clock.advance(1000);
  assert.deepEqual(sent, []);
  controller.close();
  assert.equal(clock.timers, 0);
});

test.run();
