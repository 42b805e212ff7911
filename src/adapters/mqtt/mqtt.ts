import { connect, Socket } from 'node:net';
import type { IClientOptions, IClientPublishOptions, MqttClient } from 'mqtt';
import { brokerLookups } from '../../shared/dns-lookup.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { MessageBus, PublishOptions } from '../../shared/ports/mqtt.js';
import { type BrokerTestOptions, type BrokerTestResult, runBrokerTest } from './broker-test.js';
import { Bus, type Connection, type ConnectionEvents, type Dial } from './bus.js';
import { brokerMessage } from './messages.js';
import {
  type BusOptions,
  brokerDown,
  connectionError,
  failureMessage,
  isForbidden,
  isVersionRejected,
  readTls,
} from './options.js';
import { MAX_SITE_PLAN_PACKET_BYTES, PacketLimit } from './packet-limit.js';

export type { BrokerTestFault, BrokerTestOptions, BrokerTestResult } from './broker-test.js';
export { type BusOptions, brokerUrlOf } from './options.js';

export function connectBus(options: BusOptions, dialWith: Dial = dial): MessageBus {
  return new Bus(options, dialWith).start();
}

/** Never rejects. */
export function testBroker(options: BrokerTestOptions): Promise<BrokerTestResult> {
  return runBrokerTest(options, dial);
}

/** `auto` tries MQTT 5, then 3.1.1. Rejects with `BROKER_DOWN`. */
async function dial(options: BusOptions, events: ConnectionEvents): Promise<Connection> {
  try {
    if (options.protocolVersion !== 'auto')
      return await dialVersion(options.protocolVersion, options, events);
    return await dialVersion(5, options, events).catch((thrown: unknown) => {
      if (!isVersionRejected(thrown)) throw thrown;
      return dialVersion(4, options, events);
    });
  } catch (thrown) {
    throw thrown instanceof GatewayError
      ? thrown
      : new GatewayError('BROKER_DOWN', failureMessage(thrown, options), { cause: thrown });
  }
}

/** Uses a new client, because MQTT.js resends unacknowledged QoS 1 messages when it reconnects, even with `clean`. */
async function dialVersion(
  version: 4 | 5,
  options: BusOptions,
  events: ConnectionEvents,
): Promise<Connection> {
  const tls = await readTls(options.protocol === 'mqtts' ? options.tls : undefined);
  const [{ default: mqtt }] = await Promise.all([import('mqtt'), import('./packets.js')]);
  const { lookup } = brokerLookups;
  const { host, port, protocol } = options;
  const own = { ...clientOptions(version, options), ...tls, lookup };
  // Without TLS, MQTT.js does not pass `lookup` on, so the connection is opened here.
  const client =
    protocol === 'mqtts'
      ? mqtt.connect(own)
      : new mqtt.MqttClient(() => connect({ host, port, lookup }), own);
  // With Nagle's algorithm and delayed ACKs, every second small message would wait for 40 ms.
  if (client.stream instanceof Socket) client.stream.setNoDelay(true);
  return new Promise((resolve, reject) => {
    let cause: unknown;
    let connection: ClientConnection | undefined;
    const silent = (): void => {
      cause ??= connectionError('SILENT');
      client.stream.destroy();
    };
    const limit = new PacketLimit();
    client.stream.on('data', (chunk: Buffer) => {
      if (limit.allows(chunk)) return;
      cause ??= connectionError('PACKET_TOO_LARGE');
      client.stream.destroy();
    });
    // MQTT.js stops reading until the callback is called.
    client.handleMessage = (_packet, done) => events.whenRoom(() => done());
    // Never removed: the emitter throws if `error` has no listener, even after the connection has ended.
    client.on('error', (error) => {
      cause ??= error;
    });
    client.on('disconnect', ({ reasonCode }) => {
      cause ??= connectionError(reasonCode ?? 'ENDED_BY_BROKER');
    });
    client.on('message', (topic, payload, { retain, properties }) => {
      const { responseTopic, correlationData } = properties ?? {};
      events.message({
        topic,
        payload,
        retain,
        ...(responseTopic === undefined ? {} : { responseTopic }),
        ...(correlationData === undefined ? {} : { correlationData }),
      });
    });
    events.abort.addEventListener('abort', () => connection ?? client.end(true), { once: true });
    client.once('connect', () => {
      connection = new ClientConnection(client, options, () => cause, silent);
      resolve(connection);
    });
    client.once('close', () => {
      client.end(true);
      if (!connection) return reject(cause ?? connectionError('CLOSED_EARLY'));
      const reason = failureMessage(cause ?? connectionError('CLOSED'), options);
      connection.ended(reason);
      events.closed(reason);
    });
  });
}

function clientOptions(version: 4 | 5, options: BusOptions): IClientOptions {
  return {
    host: options.host,
    port: options.port,
    protocol: options.protocol,
    protocolVersion: version,
    clientId: options.clientId,
    clean: true,
    keepalive: options.keepaliveS ?? 5,
    connectTimeout: options.connectTimeoutMs ?? 5000,
    reconnectPeriod: 0,
    // By default, MQTT.js queues QoS 0 messages while offline and sends them after reconnecting.
    queueQoSZero: false,
    ...(options.username ? { username: options.username } : {}),
    // MQTT 3.1.1 forbids a password without a username (3.1.2.9).
    ...(options.username && options.password ? { password: options.password } : {}),
    ...(options.will ? { will: willOf(options.will()) } : {}),
    // An MQTT 5 broker drops larger messages; with MQTT 3.1.1, they end the connection.
    ...(version === 5 ? { properties: { maximumPacketSize: MAX_SITE_PLAN_PACKET_BYTES } } : {}),
  };
}

function willOf({ topic, payload }: { topic: string; payload: string }): NonNullable<IClientOptions['will']> {
  return { topic, payload: Buffer.from(payload), qos: 1, retain: true };
}

function propertiesOf({ expiryS, correlationData }: Omit<PublishOptions, 'qos'>): IClientPublishOptions {
  if (expiryS === undefined && correlationData === undefined) return {};
  return {
    properties: {
      ...(expiryS === undefined ? {} : { messageExpiryInterval: expiryS }),
      ...(correlationData === undefined ? {} : { correlationData }),
    },
  };
}

/** Time limit for an acknowledgement. A broker that has read a packet acknowledges it within milliseconds. */
const ACK_TIMEOUT_MS = 10_000;

/**
 * Detects a broker that responds to pings but acknowledges neither messages nor subscriptions; otherwise,
 * messages would accumulate in memory while the connection seems to work. One timer covers the oldest packet, so
 * that publishing costs no timer.
 */
class Acknowledgements {
  readonly #timeoutMs: number;
  readonly #silent: () => void;
  /** When the packets were sent, oldest first. */
  readonly #sent = new Map<symbol, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, silent: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#silent = silent;
  }

  /** Returns a function that must be called when the packet has been acknowledged. */
  expect(): () => void {
    const packet = Symbol();
    this.#sent.set(packet, performance.now());
    this.#timer ??= setTimeout(() => this.#check(), this.#timeoutMs);
    return () => void this.#sent.delete(packet);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#sent.clear();
  }

  #check(): void {
    this.#timer = undefined;
    const [oldestMs] = this.#sent.values();
    if (oldestMs === undefined) return;
    const leftMs = oldestMs + this.#timeoutMs - performance.now();
    if (leftMs <= 0) this.#silent();
    else this.#timer = setTimeout(() => this.#check(), leftMs);
  }
}

/** When the connection ends, every unacknowledged publish is rejected. */
class ClientConnection implements Connection {
  #client: MqttClient;
  #options: BusOptions;
  #cause: () => unknown;
  #pending = new Set<(reason: Error) => void>();
  #acknowledgements: Acknowledgements;

  /**
   * @param cause returns the reason why the connection ended, if known.
   * @param silent called if the broker stops acknowledging messages; must end the connection.
   */
  constructor(client: MqttClient, options: BusOptions, cause: () => unknown, silent: () => void) {
    this.#client = client;
    this.#options = options;
    this.#cause = cause;
    this.#acknowledgements = new Acknowledgements(options.ackTimeoutMs ?? ACK_TIMEOUT_MS, silent);
  }

  publish(topic: string, payload: string, { qos, retain = false, ...extras }: PublishOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      // The stream is checked too: if it has ended but not yet emitted `close`, MQTT.js would queue the message.
      if (!this.#client.connected || !this.#client.stream.writable) {
        const cause = this.#cause() ?? connectionError('CLOSED');
        return reject(brokerDown(failureMessage(cause, this.#options)));
      }
      this.#pending.add(reject);
      const acknowledged = this.#acknowledgements.expect();
      this.#client.publish(topic, payload, { qos, retain, ...propertiesOf(extras) }, (error) => {
        acknowledged();
        this.#pending.delete(reject);
        if (error) reject(this.#publishError(topic, error));
        else resolve();
      });
    });
  }

  subscribe(filters: string[]): Promise<string[]> {
    return new Promise((resolve) => {
      const acknowledged = this.#acknowledgements.expect();
      this.#client.subscribe(filters, { qos: 1 }, (error, requested = [], suback) => {
        acknowledged();
        // If one filter is rejected, MQTT.js fails the whole call, and only the SUBACK identifies the filter.
        const codes = suback?.granted ?? [];
        const rejected = requested.filter((_, at) => Number(codes[at]) >= 128).map(({ topic }) => topic);
        resolve(error && this.#client.connected && rejected.length === 0 ? filters : rejected);
      });
    });
  }

  unsubscribe(filter: string): void {
    this.#client.unsubscribe(filter, () => {});
  }

  /** Sends DISCONNECT, so that the broker discards the last will. Closes the socket within 1 s. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      const cut = setTimeout(() => this.#client.end(true, () => resolve()), 1000);
      this.#client.end(false, {}, () => {
        clearTimeout(cut);
        resolve();
      });
    });
  }

  ended(reason: Text): void {
    this.#acknowledgements.close();
    for (const reject of [...this.#pending]) reject(brokerDown(reason));
    this.#pending.clear();
  }

  #publishError(topic: string, error: Error): GatewayError {
    if (!isForbidden(error)) return brokerDown(failureMessage(error, this.#options));
    return new GatewayError('BROKER_FORBIDS', brokerMessage('no-publish', { topic }));
  }
}
