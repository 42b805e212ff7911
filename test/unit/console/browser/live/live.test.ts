import assert from 'node:assert/strict';
import { suite } from 'uvu';

const test = suite('live connection');

interface StateStore {
  start(): void;
  ageMs(cartID: number): number | null;
  lostForMs(): number;
}

/** Imported dynamically, because tests are compiled without browser types. */
const { StateStore } = (await import(
  new URL('../../../../../src/console/browser/live/state-store.js', import.meta.url).href
)) as {
  StateStore: new (cartID: number) => StateStore;
};

/** Time by which the gateway's clock is behind the page's clock. */
const CLOCK_OFFSET_MS = 95_000;
const SNAPSHOT = { bootId: 'a', serverTimeMs: 0, links: {}, commands: [], positions: [], trial: null };

type Listener = (event: { data: string; persisted?: boolean }) => void;
let nowMs = 0;
let sources: Source[] = [];
let timers: (() => void)[] = [];
let listeners = new Map<string, Listener>();

class Source {
  static CLOSED = 2;
  isOpen = true;
  #listeners = new Map<string, Listener>();
  #seq = 0;

  constructor() {
    sources.push(this);
  }

  addEventListener(name: string, run: Listener): void {
    this.#listeners.set(name, run);
  }

  close(): void {
    this.isOpen = false;
  }

  /** Delivers an event sent `sentAgoMs` milliseconds ago. */
  deliver(name: string, sentAgoMs: number, rest: object = {}): void {
    this.#seq += 1;
    const event = { seq: this.#seq, sentMs: nowMs - sentAgoMs - CLOCK_OFFSET_MS, ...rest };
    this.#listeners.get(name)?.({ data: JSON.stringify(event) });
  }

  begin(sentAgoMs = 10): void {
    this.deliver('open', 0);
    this.deliver('snapshot', sentAgoMs, { ...SNAPSHOT, carts: [{ cartID: 1, ageMs: 100 }] });
  }
}

const real = {
  now: performance.now,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
};
const listen = (name: string, run: Listener): void => void listeners.set(name, run);

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

function assertNear(ms: number | null, wanted: number): void {
  assert.ok(ms !== null && Math.abs(ms - wanted) < 2, `${ms} ms instead of ${wanted} ms`);
}

test("adds an event's delay to the age of a cart's data", () => {
  const { store, source } = opened();
  assertNear(store.ageMs(1), 100);
  nowMs += 1000;
  source.deliver('beat', 10, { ages: { 1: 50 } });
  assertNear(store.ageMs(1), 50);
  nowMs += 1000;
  source.deliver('beat', 810, { ages: { 1: 50 } });
  assertNear(store.ageMs(1), 850);
  nowMs += 20;
  source.deliver('cart', 910, { cart: { cartID: 1, ageMs: 20 } });
  assertNear(store.ageMs(1), 920);
  assert.equal(store.lostForMs(), 0);
  assert.equal(source.isOpen, true);
});

test('reconnects after an event that is more than 1.5 s late, and shows the new snapshot', () => {
  const { store, source } = opened();
  nowMs += 4000;
  source.deliver('beat', 2010, { ages: { 1: 50 } });
  assertNear(store.ageMs(1), 2050);
  assertNear(store.lostForMs(), 2000);
  assert.equal(source.isOpen, false);
  source.deliver('beat', 10, { ages: { 1: 50 } });
  assertNear(store.ageMs(1), 2050);
  timers.shift()?.();
  assert.equal(sources.length, 2);
  nowMs += 20;
  last().begin();
  assertNear(store.ageMs(1), 100);
  assert.equal(store.lostForMs(), 0);
});

test("marks data as stale after a jump in the page's clock, until the page reconnects", () => {
  const { store, source } = opened();
  nowMs += 60_000;
  assertNear(store.ageMs(1), 60_100);
  // This heartbeat has just been sent; only the page's clock has jumped, not the gateway's.
  source.deliver('beat', 60_010, { ages: { 1: 50 } });
  assertNear(store.ageMs(1), 60_050 - 12);
  assert.equal(source.isOpen, false);
  timers.shift()?.();
  last().deliver('open', 0);
  last().deliver('snapshot', 60_000, { ...SNAPSHOT, carts: [{ cartID: 1, ageMs: 100 }] });
  assertNear(store.ageMs(1), 100);
});

test('reconnects when the page becomes visible or is restored', () => {
  const { source } = opened();
  listeners.get('visibilitychange')?.({ data: '' });
  assert.equal(source.isOpen, false);
  assert.equal(sources.length, 2);
  listeners.get('pageshow')?.({ data: '', persisted: false });
  assert.equal(sources.length, 2, 'no reconnect after a normal load');
  listeners.get('pageshow')?.({ data: '', persisted: true });
  assert.equal(sources.length, 3);
});

test.run();
