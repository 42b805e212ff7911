import { randomUUID } from 'node:crypto';
import { errorText, GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Dial } from './bus.js';
import { brokerMessage } from './messages.js';
import { type BusOptions, brokerUrlOf, TLS_FIELD } from './options.js';

/**
 * Excludes `clientId`, because the test uses its own client ID. The gateway's client ID would disconnect a running
 * gateway.
 */
export type BrokerTestOptions = Omit<BusOptions, 'clientId' | 'will' | 'embedded'>;

/** `files`: a TLS file is unusable. `session`: not an MQTT server. `broker`: an MQTT broker responded. */
export type BrokerTestFault = 'files' | 'unreachable' | 'silent' | 'session' | 'broker';

export type BrokerTestResult = { ok: true; ms: number } | { ok: false; reason: Text; fault: BrokerTestFault };

const UNREACHABLE = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
];

export async function runBrokerTest(options: BrokerTestOptions, dial: Dial): Promise<BrokerTestResult> {
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
    return { ok: false, reason: errorText(thrown), fault: faultOf(thrown) };
  }
}

function faultOf(thrown: unknown): BrokerTestFault {
  if (thrown instanceof GatewayError && thrown.info.field === TLS_FIELD) return 'files';
  const cause = thrown instanceof GatewayError ? thrown.cause : thrown;
  // An error that has no cause means that the connection was established.
  if (cause === undefined) return 'broker';
  const code = cause instanceof Error && 'code' in cause ? cause.code : '';
  if (typeof code === 'number') return 'broker';
  const text = String(code);
  if (text.startsWith('ERR_OSSL')) return 'files';
  if (UNREACHABLE.includes(text)) return 'unreachable';
  return text === 'ETIMEDOUT' || messageOf(cause) === 'connack timeout' ? 'silent' : 'session';
}

async function roundTrip(options: BusOptions, dial: Dial, timeoutMs: number): Promise<void> {
  const topic = `cartwright-test/${randomUUID()}`;
  let arrived = () => {};
  let failed = (_reason: Text) => {};
  const echo = new Promise<void>((resolve, reject) => {
    arrived = resolve;
    failed = (reason) => reject(new GatewayError('BROKER_DOWN', reason));
  });
  echo.catch(() => {});
  const connection = await dial(options, {
    message: () => arrived(),
    whenRoom: (next) => next(),
    closed: (reason) => failed(reason),
    abort: new AbortController().signal,
  });
  const lost = sharedMessage('both', {
    first: brokerUrlOf(options),
    second: brokerMessage('trial.no-echo'),
  });
  const cancel = options.clock.after(timeoutMs, () => failed(lost));
  try {
    const rejected = await connection.subscribe([topic]);
    if (rejected.length > 0)
      failed(
        sharedMessage('both', {
          first: brokerUrlOf(options),
          second: brokerMessage('trial.no-subscribe', { topic }),
        }),
      );
    else await connection.publish(topic, 'test', { qos: 1 });
    await echo;
  } finally {
    cancel();
    await connection.end();
  }
}
