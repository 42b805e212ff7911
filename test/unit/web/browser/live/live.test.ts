import assert from 'node:assert/strict';
import { suite } from 'uvu';

/** What a page makes of the live connection, with a browser's parts played by this test. */
const test = suite('the live connection of a page');

interface StateStore {
  start(): void;
  ageMs(cartID: number): number | null;
  lostForMs(): number;
}

/** Its sources are compiled for browsers, whose types this test does not have. */
const { StateStore } = (await import(
  new URL('../../../../../src/web/browser/live/state-store.js', import.meta.url).href
)) as {
  StateStore: new (cartID: number) => StateStore;
};

/** Gateway time is this much behind the page's. */
const APART_MS = 95_000;
const SNAPSHOT = { bootId: 'a', serverTimeMs: 0, links: {}, commands: [], positions: [], trial: null };

type Heard = (event: { data: string; persisted?: boolean }) => void;
let nowMs = 0;
let sources: Source[] = [];
let timers: (() => void)[] = [];
let listeners = new Map<string, Heard>();

class Source {
  static CLOSED = 2;
  isOpen = true;
  #listeners = new Map<string, Heard>();
  #seq = 0;

  constructor() {
    sources.push(this);
  }

  addEventListener(name: string, run: Heard): void {
    this.#listeners.set(name, run);
  }

  close(): void {
    this.isOpen = false;
  }

  /** Something arrives now that was sent so long ago. */
  hear(name: string, sentAgoMs: number, rest: object = {}): void {
    this.#seq += 1;
    const event = { seq: this.#seq, sentMs: nowMs - sentAgoMs - APART_MS, ...rest };
    this.#listeners.get(name)?.({ data: JSON.stringify(event) });
  }

  begin(sentAgoMs = 10): void {
    this.hear('open', 0);
    this.hear('snapshot', sentAgoMs, { ...SNAPSHOT, carts: [{ cartID: 1, ageMs: 100 }] });
  }
}

const real = {
  now: performance.now,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
};
const listen = (name: string, run: Heard): void => void listeners.set(name, run);

test.before.each(() => {
  nowMs = 100_000;
  sources = [];
  timers = [];
  listeners = new Map();
  performance.now = () => nowMs;
  Object.assign(globalThis, {
    EventSource: Source,
    addEventListener: listen,
    document: { addEventListener: listen, visibilityState: 'visible' },
    requestAnimationFrame: () => 0,
    setTimeout: (run: () => void) => timers.push(run),
    setInterval: () => 0,
  });
});
test.after.each(() => {
  performance.now = real.now;
  Object.assign(globalThis, { setTimeout: real.setTimeout, setInterval: real.setInterval });
});

function opened(): { store: StateStore; source: Source } {
  const store = new StateStore(1);
  store.start();
  const source = last();
  nowMs += 20;
  source.begin();
  return { store, source };
}

function last(): Source {
  const source = sources.at(-1);
  assert.ok(source);
  return source;
}

function near(ms: number | null, wanted: number): void {
  assert.ok(ms !== null && Math.abs(ms - wanted) < 2, `${ms} is not ${wanted}`);
}

test('the age of a cart has in it what its news waited, from a beat and from the cart itself', () => {
  const { store, source } = opened();
  near(store.ageMs(1), 100);
  nowMs += 1000;
  source.hear('beat', 10, { ages: { 1: 50 } });
  near(store.ageMs(1), 50);
  nowMs += 1000;
  source.hear('beat', 810, { ages: { 1: 50 } });
  near(store.ageMs(1), 850);
  nowMs += 20;
  source.hear('cart', 910, { cart: { cartID: 1, ageMs: 20 } });
  near(store.ageMs(1), 920);
  assert.equal(store.lostForMs(), 0);
  assert.equal(source.isOpen, true);
});

test('news that waited for more than 1.5 s closes the stream, and a new one begins with what is true', () => {
  const { store, source } = opened();
  nowMs += 4000;
  source.hear('beat', 2010, { ages: { 1: 50 } });
  near(store.ageMs(1), 2050);
  near(store.lostForMs(), 2000);
  assert.equal(source.isOpen, false);
  source.hear('beat', 10, { ages: { 1: 50 } });
  near(store.ageMs(1), 2050);
  timers.shift()?.();
  assert.equal(sources.length, 2);
  nowMs += 20;
  last().begin();
  near(store.ageMs(1), 100);
  assert.equal(store.lostForMs(), 0);
});

test('a page whose clock jumps ahead is stale until it has a new connection', () => {
  const { store, source } = opened();
  nowMs += 60_000;
  near(store.ageMs(1), 60_100);
  // Sent just now, by a gateway that did not jump with us.
  source.hear('beat', 60_010, { ages: { 1: 50 } });
  near(store.ageMs(1), 60_050 - 12);
  assert.equal(source.isOpen, false);
  timers.shift()?.();
  last().hear('open', 0);
  last().hear('snapshot', 60_000, { ...SNAPSHOT, carts: [{ cartID: 1, ageMs: 100 }] });
  near(store.ageMs(1), 100);
});

test('a page that is looked at again asks anew: its clock may have stood still', () => {
  const { source } = opened();
  listeners.get('visibilitychange')?.({ data: '' });
  assert.equal(source.isOpen, false);
  assert.equal(sources.length, 2);
  listeners.get('pageshow')?.({ data: '', persisted: false });
  assert.equal(sources.length, 2, 'it has just been loaded');
  listeners.get('pageshow')?.({ data: '', persisted: true });
  assert.equal(sources.length, 3);
});

test.run();
