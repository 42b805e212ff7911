import assert from 'node:assert/strict';
import { test } from 'uvu';
import { crc16Xmodem } from '../../../../../src/carts/serial/codec/crc.js';
import {
  MIXED,
  speedCommands,
  timeoutUnits,
  ZERO_SPEED,
} from '../../../../../src/carts/serial/codec/mixed-mode.js';
import {
  parseRoboclawReply,
  READ_STATUS,
  READ_VERSION,
  roboclawRead,
  roboclawStatus,
  roboclawWrite,
} from '../../../../../src/carts/serial/codec/roboclaw.js';
import { sabertoothPacket } from '../../../../../src/carts/serial/drivers/sabertooth.js';
import { crcByBits, decodeRoboclaw, decodeSabertooth } from '../board-decoders.js';

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
const roboclaw = (command: number, value: number): string => hex(roboclawWrite(0x80, command, value));
const sabertooth = (command: number, value: number, address = 128): string =>
  hex(sabertoothPacket(address, command, value));

test('encodes RoboClaw packets with the exact bytes in the manual', () => {
  assert.equal(roboclaw(MIXED.forward, 64), '80 08 40 fa 37');
  assert.deepEqual(
    ZERO_SPEED.map(([command, value]) => roboclaw(command, value)),
    ['80 08 00 b2 f3', '80 0a 00 d4 91'],
  );
  assert.equal(roboclaw(MIXED.serialTimeout, timeoutUnits(500)), '80 0e 05 48 f0');
  assert.equal(hex(roboclawRead(0x85, READ_STATUS.command)), '85 5a');
});

test('stops the board with commands whose standstill value is the same in every edition of the manual', () => {
  assert.ok(ZERO_SPEED.every(([command, value]) => command !== 12 && command !== 13 && value === 0));
});

test('encodes Sabertooth packets with the exact bytes in the manual', () => {
  assert.equal(sabertooth(0, 64, 130), '82 00 40 42');
  assert.equal(sabertooth(MIXED.forward, 64), '80 08 40 48');
  assert.equal(sabertooth(MIXED.right, 0), '80 0a 00 0a');
  assert.deepEqual(
    ZERO_SPEED.map(([command, value]) => sabertooth(command, value)),
    ['80 08 00 08', '80 0a 00 0a'],
  );
  assert.equal(sabertooth(MIXED.serialTimeout, timeoutUnits(500)), '80 0e 05 13');
});

test('an independent decoder decodes every encoded address, command and value correctly', () => {
  for (let address = 128; address <= 135; address++) {
    for (let command = 8; command <= 14; command++) {
      for (let value = 0; value <= 127; value++) {
        const wanted = [{ address, command, value }];
        assert.deepEqual(decodeRoboclaw(roboclawWrite(address, command, value)), wanted);
        assert.deepEqual(decodeSabertooth(sabertoothPacket(address, command, value)), wanted);
      }
    }
  }
});

test('computes the CRC-16/XMODEM check value', () => {
  const text = [...Buffer.from('123456789')];
  assert.equal(crc16Xmodem(Uint8Array.from(text)), 0x31c3);
  assert.equal(crcByBits(text), 0x31c3);
});

test('uses separate commands for forward, reverse, left and right', () => {
  assert.deepEqual(speedCommands(64, 0), [
    [8, 64],
    [10, 0],
  ]);
  assert.deepEqual(speedCommands(-127, 5), [
    [9, 127],
    [11, 5],
  ]);
  assert.deepEqual(speedCommands(0, -5), [
    [8, 0],
    [10, 5],
  ]);
});

test('rounds a serial timeout up to a multiple of 0.1 s', () => {
  assert.deepEqual([250, 500, 501, 2000].map(timeoutUnits), [3, 5, 6, 20]);
});

function answer(command: number, data: number[]): Uint8Array {
  const crc = crcByBits([0x80, command, ...data]);
  return Uint8Array.from([...data, crc >> 8, crc & 0xff]);
}

test('accepts a reply only when it is complete and its checksum covers the read command', () => {
  const version = [...Buffer.from('RoboClaw 2x15a v4.2.4\n\0')];
  const whole = answer(21, version);
  assert.deepEqual([...(parseRoboclawReply(0x80, READ_VERSION, whole) ?? [])], version);
  for (let length = 0; length < whole.length; length++)
    assert.equal(
      parseRoboclawReply(0x80, READ_VERSION, whole.subarray(0, length)),
      undefined,
      `${length} bytes`,
    );
  assert.equal(parseRoboclawReply(0x81, READ_VERSION, whole), undefined, 'another address');
  const status = answer(90, [0, 0, 0, 1]);
  for (let bit = 0; bit < status.length * 8; bit++) {
    const broken = Uint8Array.from(status);
    broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(parseRoboclawReply(0x80, READ_STATUS, broken), undefined, `bit ${bit}`);
  }
});

test('uses the checksum to distinguish two-byte from four-byte statuses, for every status bit', () => {
  for (const length of [2, 4]) {
    for (let bit = 0; bit < length * 8; bit++) {
      const data = Array.from({ length }, (_, at) => (at === length - 1 - (bit >> 3) ? 1 << (bit & 7) : 0));
      const received = answer(90, data);
      for (let taken = 1; taken < received.length; taken++)
        assert.equal(parseRoboclawReply(0x80, READ_STATUS, received.subarray(0, taken)), undefined);
      assert.deepEqual([...(parseRoboclawReply(0x80, READ_STATUS, received) ?? [])], data);
    }
  }
});

test('decodes a status according to its length', () => {
  const none = { estop: false, errors: [], warnings: [] };
  assert.deepEqual(roboclawStatus(Uint8Array.of(0, 0)), none);
  assert.deepEqual(roboclawStatus(Uint8Array.of(0, 0, 0, 0)), none);
  assert.deepEqual(roboclawStatus(Uint8Array.of(0, 0x04)), { ...none, estop: true });
  assert.deepEqual(roboclawStatus(Uint8Array.of(0, 0, 0, 0x01)), { ...none, estop: true });
  assert.deepEqual(roboclawStatus(Uint8Array.of(0x09, 0x01)), {
    ...none,
    errors: ['driverFaultM1'],
    warnings: ['overcurrentM1', 'undervolt'],
  });
  assert.deepEqual(roboclawStatus(Uint8Array.of(0, 0x08, 0, 0x42)), {
    ...none,
    errors: ['overtempBoard', 'driverFaultM1'],
    warnings: ['undervolt'],
  });
});

test.run();
