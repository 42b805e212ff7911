import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'uvu';
import { SlicedWrites } from '../../../../src/web/server/sliced-writes.js';

const TURN_BYTES = 256 * 1024;

/** An answer that takes slices, says that it is full when it is to, and keeps what it took. */
class Answer extends EventEmitter {
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
  const send = (answer: Answer, body: Buffer) => writes.end(answer as never, body);
  return { send, next: () => turns.shift()?.(), turns };
}

test('long answers share the bytes of a turn, and each arrives whole', () => {
  const body = Buffer.alloc(1_300_000, 'abc');
  const answers = Array.from({ length: 32 }, () => new Answer());
  const all = (): number => answers.reduce((sum, { bytes }) => sum + bytes, 0);
  const { send, next, turns } = sliced();
  for (const answer of answers) send(answer, body);
  let before = 0;
  for (;;) {
    assert.ok(all() - before <= TURN_BYTES, `${all() - before} bytes in one turn`);
    before = all();
    if (turns.length === 0) break;
    next();
  }
  for (const { taken, isEnded } of answers) {
    assert.ok(isEnded);
    assert.ok(Buffer.concat(taken).equals(body));
    // One buffer for all of them.
    assert.ok(taken.every(({ buffer }) => buffer === body.buffer));
  }
});

test('a short answer is sent at once', () => {
  const answer = new Answer();
  sliced().send(answer, Buffer.from('[]'));
  assert.deepEqual([answer.isEnded, String(answer.taken[0])], [true, '[]']);
});

test('an answer that is not taken waits for its drain, and keeps nobody else waiting', () => {
  const [slow, quick] = [new Answer(), new Answer()];
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

test('an answer whose client has gone is dropped', () => {
  const [gone, other] = [new Answer(), new Answer()];
  const { send, next, turns } = sliced();
  send(gone, Buffer.alloc(1_000_000));
  const taken = gone.bytes;
  gone.destroyed = true;
  send(other, Buffer.alloc(10));
  while (turns.length > 0) next();
  assert.deepEqual([gone.bytes, gone.isEnded, other.isEnded], [taken, false, true]);
});

test.run();
