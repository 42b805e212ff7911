import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'uvu';
import { SlicedWrites } from '../../../../src/http/server/sliced-writes.js';

const TURN_BYTES = 256 * 1024;

/** A fake response with controllable backpressure. */
class FakeResponse extends EventEmitter {
  readonly taken: Buffer[] = [];
  destroyed = false;
  isEnded = false;
  isFull = false;

  write = (slice: Buffer): boolean => {
    this.taken.push(slice);
    return !this.isFull;
  };

  end = (slice: Buffer): this => {
    this.taken.push(slice);
    this.isEnded = true;
    return this;
  };

  get bytes(): number {
    return this.taken.reduce((sum, { length }) => sum + length, 0);
  }
}

function sliced() {
  const turns: (() => void)[] = [];
  const writes = new SlicedWrites((run) => turns.push(run));
  const send = (response: FakeResponse, body: Buffer) => writes.end(response as never, body);
  return { send, next: () => turns.shift()?.(), turns };
}

test('long responses share the byte limit of each event-loop iteration, and arrive complete', () => {
  const body = Buffer.alloc(1_300_000, 'abc');
  const responses = Array.from({ length: 32 }, () => new FakeResponse());
  const all = (): number => responses.reduce((sum, { bytes }) => sum + bytes, 0);
  const { send, next, turns } = sliced();
  for (const response of responses) send(response, body);
  let before = 0;
  for (;;) {
    assert.ok(all() - before <= TURN_BYTES, `${all() - before} bytes in one turn`);
    before = all();
    if (turns.length === 0) break;
    next();
  }
  for (const { taken, isEnded } of responses) {
    assert.ok(isEnded);
    assert.ok(Buffer.concat(taken).equals(body));
    // The buffer is not copied.
    assert.ok(taken.every(({ buffer }) => buffer === body.buffer));
  }
});

test('a short response is sent immediately', () => {
  const response = new FakeResponse();
  sliced().send(response, Buffer.from('[]'));
  assert.deepEqual([response.isEnded, String(response.taken[0])], [true, '[]']);
});

test('a response under backpressure waits for the drain event and does not delay other responses', () => {
  const [slow, quick] = [new FakeResponse(), new FakeResponse()];
  slow.isFull = true;
  const { send, next, turns } = sliced();
  const body = Buffer.alloc(1_000_000);
  send(slow, body);
  send(quick, body);
  while (turns.length > 0) next();
  assert.deepEqual([slow.taken.length, slow.isEnded, quick.isEnded], [1, false, true]);
  slow.isFull = false;
  slow.emit('drain');
  while (turns.length > 0) next();
  assert.deepEqual([slow.isEnded, slow.bytes], [true, body.length]);
});

test('drops a response when its client disconnects', () => {
  const [gone, other] = [new FakeResponse(), new FakeResponse()];
  const { send, next, turns } = sliced();
  send(gone, Buffer.alloc(1_000_000));
  const taken = gone.bytes;
  gone.destroyed = true;
  send(other, Buffer.alloc(10));
  while (turns.length > 0) next();
  assert.deepEqual([gone.bytes, gone.isEnded, other.isEnded], [taken, false, true]);
});

test.run();
