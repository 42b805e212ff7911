import assert from 'node:assert/strict';
import { test } from 'uvu';
import { SimulatedController } from '../../../../src/simulator/controller/controller.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { crcByBits } from '../../carts/serial/board-decoders.js';

/** The simulated boards, spoken to by hand. */
function board(dialect: 'roboclaw' | 'sabertooth') {
  const clock = new FakeClock();
  const controller = new SimulatedController({ clock, dialect });
  const said: number[] = [];
  controller.onSend((bytes) => said.push(...bytes));
  const say = (text: string) => controller.receive(Buffer.from(text.replaceAll(' ', ''), 'hex'));
  return { clock, controller, said, say };
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
  test(`${kind}: it moves only when it knows both speeds, and stands when it is told to`, () => {
    const { clock, controller, say } = board(kind);
    say(FORWARD[kind]);
    clock.advance(1000);
    assert.equal(controller.snapshot().speed, 0);
    say(STRAIGHT[kind]);
    clock.advance(1000);
    assert.ok(Math.abs(controller.snapshot().speed - (64 / 127) * 1000) < 1);
    say(STAND[kind]);
    clock.advance(500);
    assert.equal(controller.snapshot().speed, 0);
    controller.close();
  });

  test(`${kind}: without a serial timeout it runs on for ever, with one it stops by itself and does not start again`, () => {
    const { clock, controller, say } = board(kind);
    say(FORWARD[kind] + STRAIGHT[kind]);
    clock.advance(10_000);
    assert.ok(controller.snapshot().speed > 0);
    say(TIMEOUT[kind]);
    clock.advance(450);
    assert.ok(controller.snapshot().speed > 0);
    clock.advance(250);
    assert.deepEqual([controller.snapshot().speed, controller.snapshot().state], [0, 'LINK_LOST']);
    say(FORWARD[kind]);
    clock.advance(300);
    assert.equal(controller.snapshot().speed, 0, 'both speeds are needed again');
    controller.close();
  });

  test(`${kind}: a wrong checksum and another address move nothing`, () => {
    const { clock, controller, say } = board(kind);
    say(STRAIGHT[kind]);
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
    assert.equal(controller.snapshot().motions, 1, 'unharmed, the same packet does');
    controller.close();
  });
}

test('roboclaw: every byte of an answer stands where the maker says', () => {
  const { said, say } = board('roboclaw');
  const ask = (command: number): number[] => {
    said.length = 0;
    say(Buffer.from([0x80, command]).toString('hex'));
    assert.equal(crcByBits([0x80, command, ...said]), 0, 'the CRC covers address, command and data');
    return said.slice(0, -2);
  };
  say(TIMEOUT.roboclaw);
  assert.deepEqual(said, [0xff]);
  assert.deepEqual(ask(15), [5]);
  assert.match(Buffer.from(ask(21)).toString('latin1'), /^RoboClaw .*\n\0$/);
  assert.equal(ask(24).length, 2);
  assert.equal(ask(82).length, 2);
  assert.deepEqual(ask(90), [0, 0, 0, 0]);
});

test('roboclaw: a packet with a pause of more than 10 ms in it is thrown away', () => {
  const { clock, said, say } = board('roboclaw');
  say('80 0e');
  clock.advance(11);
  say('05 48 f0');
  assert.deepEqual(said, []);
  clock.advance(11);
  say('80 0e');
  clock.advance(9);
  say('05 48 f0');
  assert.deepEqual(said, [0xff]);
});

test('sabertooth: it says nothing, whatever comes', () => {
  const { clock, said, say, controller } = board('sabertooth');
  say('aa 80 5a 80 15 80 0e 05 13');
  clock.advance(1000);
  controller.reset();
  clock.advance(1000);
  assert.deepEqual(said, []);
  controller.close();
  assert.equal(clock.timers, 0);
});

test.run();
