import assert from 'node:assert/strict';
import { test } from 'uvu';
import { MdnsAdmission } from '../../../src/adapters/mdns.js';
import { FakeClock } from '../../helpers/fake-clock.js';

const PEER = '192.168.1.20';
const RESPONSE = 0x8400;

interface Packet {
  flags?: number;
  questions?: number;
  others?: number;
  bytes?: number;
}

function packetOf({ flags = 0, questions = 1, others = 0, bytes = 40 }: Packet): Buffer {
  const packet = Buffer.alloc(bytes);
  packet.writeUInt16BE(flags, 2);
  packet.writeUInt16BE(questions, 4);
  for (const at of [6, 8, 10]) packet.writeUInt16BE(others, at);
  return packet;
}

const REJECTED: Record<string, Packet> = {
  'that is larger than 9 kB': { bytes: 9001 },
  'of 64 kB': { bytes: 65_000, questions: 10_900 },
  'with more than 64 questions': { questions: 65, bytes: 8000 },
  'with no question': { questions: 0, others: 100 },
  'that is a response': { flags: RESPONSE },
  'that is shorter than a header': { bytes: 11 },
};
for (const [name, packet] of Object.entries(REJECTED)) {
  test(`the admission check rejects an mDNS packet ${name}`, () => {
    const { bytes = 40 } = packet;
    const whole = packetOf({ ...packet, bytes: Math.max(12, bytes) });
    const isAdmitted = new MdnsAdmission(new FakeClock()).admits(whole.subarray(0, bytes), PEER);
    assert.equal(isAdmitted, false);
  });
}

test('the admission check accepts a query of 64 questions and 9 kB', () => {
  const packet = packetOf({ questions: 64, bytes: 9000 });
  assert.ok(new MdnsAdmission(new FakeClock()).admits(packet, PEER));
});

test('the admission check removes the records that follow the questions', () => {
  const packet = packetOf({ others: 700, bytes: 9000 });
  new MdnsAdmission(new FakeClock()).admits(packet, PEER);
  assert.deepEqual([...packet.subarray(4, 12)], [0, 1, 0, 0, 0, 0, 0, 0]);
});

function admitted(admission: MdnsAdmission, addresses: readonly string[]): number {
  return addresses.filter((address) => admission.admits(packetOf({}), address)).length;
}

test('the admission check limits packets from one address to a burst of 20, and then to 10 per second', () => {
  const clock = new FakeClock();
  const admission = new MdnsAdmission(clock);
  assert.equal(admitted(admission, Array<string>(1000).fill(PEER)), 20);
  clock.advance(1000);
  assert.equal(admitted(admission, Array<string>(1000).fill(PEER)), 10);
});

test('the admission check accepts a packet from another address while one address is over its limit', () => {
  const admission = new MdnsAdmission(new FakeClock());
  admitted(admission, Array<string>(1000).fill(PEER));
  assert.ok(admission.admits(packetOf({}), '192.168.1.21'));
});

test('the admission check limits packets from all addresses to a burst of 50, and then to 50 per second', () => {
  const clock = new FakeClock();
  const admission = new MdnsAdmission(clock);
  const forged = Array.from({ length: 2000 }, (_, nth) => `10.0.${nth >> 8}.${nth & 255}`);
  assert.equal(admitted(admission, forged), 50);
  clock.advance(1000);
  assert.equal(admitted(admission, forged), 50);
});

test('the admission check does not count rejected packets towards any limit', () => {
  const admission = new MdnsAdmission(new FakeClock());
  for (let nth = 0; nth < 100; nth += 1) admission.admits(packetOf({ questions: 65 }), PEER);
  assert.ok(admission.admits(packetOf({}), PEER));
});

test.run();
