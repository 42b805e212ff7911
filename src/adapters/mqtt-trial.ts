import { randomUUID } from 'node:crypto';
import { GatewayError, messageOf } from '../util/errors.js';
import type { Dial } from './mqtt-bus.js';
import { type BusOptions, urlOf } from './mqtt-options.js';

/** Where and how to connect for a trial: the trial chooses its own client id, so that no running gateway is thrown out. */
export type TrialOptions = Omit<BusOptions, 'clientId' | 'will' | 'embedded'>;

export type Trial = { ok: true; ms: number } | { ok: false; reason: string };

/** Connects, subscribes to a random topic and waits for one message of its own. Never rejects. */
export async function tryBroker(options: TrialOptions, dial: Dial): Promise<Trial> {
  const { clock, connectTimeoutMs = 5000 } = options;
  const startedMs = clock.now();
  try {
    await roundTrip(
      { ...options, clientId: `test-${randomUUID().slice(0, 8)}`, embedded: false },
      dial,
      connectTimeoutMs,
    );
    return { ok: true, ms: Math.round(clock.now() - startedMs) };
  } catch (thrown) {
    return { ok: false, reason: messageOf(thrown) };
  }
}

async function roundTrip(options: BusOptions, dial: Dial, timeoutMs: number): Promise<void> {
  const topic = `cartwright-test/${randomUUID()}`;
  let arrived = () => {};
  let failed = (_reason: string) => {};
  const echo = new Promise<void>((resolve, reject) => {
    arrived = resolve;
    failed = (reason) => reject(new GatewayError('BROKER_DOWN', reason));
  });
  // It may fail before anybody waits for it.
  echo.catch(() => {});
  const connection = await dial(options, {
    message: () => arrived(),
    closed: (reason) => failed(reason),
    abort: new AbortController().signal,
  });
  const lost = `${urlOf(options)}: connected, but no message came back: this client may not publish or read there`;
  const cancel = options.clock.after(timeoutMs, () => failed(lost));
  try {
    const refused = await connection.subscribe([topic]);
    if (refused.length > 0)
      failed(`${urlOf(options)}: connected, but this client may not subscribe to ${topic}`);
    else await connection.publish(topic, 'test', { qos: 1 });
    await echo;
  } finally {
    cancel();
    await connection.end();
  }
}
