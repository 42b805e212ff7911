import { Socket } from 'node:net';
import type { IClientOptions, IClientPublishOptions, MqttClient } from 'mqtt';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { MessageBus, PublishOptions } from '../../shared/ports/ports.js';
import { Bus, type Connection, type ConnectionEvents, type Dial } from './bus.js';
import { brokerMessage } from './messages.js';
import {
  type BusOptions,
  brokerDown,
  connectionError,
  isForbidden,
  isVersionRefusal,
  readTls,
  whyNot,
} from './options.js';
import { type Trial, type TrialOptions, tryBroker } from './trial.js';

export { type BusOptions, urlOf } from './options.js';
export type { Trial, TrialFault, TrialOptions } from './trial.js';

/**
 * Starts connecting to a broker, and keeps at it until `close()`; how it stands is in `status()`.
 * @param by how; over the network when left out.
 */
export function connectBus(options: BusOptions, by: Dial = dial): MessageBus {
  return new Bus(options, by).start();
}

/** Really connects, subscribes to a random topic and sends itself one message, for "test connection" on the page. */
export function testBroker(options: TrialOptions): Promise<Trial> {
  return tryBroker(options, dial);
}

/** Connects once, with MQTT 5 first when the version is `auto`; rejects with the reason in words. */
async function dial(options: BusOptions, events: ConnectionEvents): Promise<Connection> {
  try {
    if (options.protocolVersion !== 'auto')
      return await dialVersion(options.protocolVersion, options, events);
    return await dialVersion(5, options, events).catch((thrown: unknown) => {
      if (!isVersionRefusal(thrown)) throw thrown;
      return dialVersion(4, options, events);
    });
  } catch (thrown) {
    throw thrown instanceof GatewayError
      ? thrown
      : new GatewayError('BROKER_DOWN', whyNot(thrown, options), { cause: thrown });
  }
}

/**
 * A new client object for every connection. MQTT.js sends a QoS 1 message that was not acknowledged, or was published
 * while it was offline, again after it has reconnected, even with `clean`; a client that never reconnects cannot.
 */
async function dialVersion(
  version: 4 | 5,
  options: BusOptions,
  events: ConnectionEvents,
): Promise<Connection> {
  const tls = await readTls(options.protocol === 'mqtts' ? options.tls : undefined);
  const [{ default: mqtt }] = await Promise.all([import('mqtt'), import('./packets.js')]);
  const client = mqtt.connect({ ...clientOptions(version, options), ...tls });
  // MQTT.js leaves Nagle's algorithm on: with delayed acknowledgements every other small message waits 40 ms.
  if (client.stream instanceof Socket) client.stream.setNoDelay(true);
  return new Promise((resolve, reject) => {
    let cause: unknown;
    let connection: ClientConnection | undefined;
    // Stays for good: an emitter without an `error` listener throws, even long after the connection has ended.
    client.on('error', (error) => {
      cause ??= error;
    });
    client.on('disconnect', ({ reasonCode }) => {
      cause ??= connectionError(reasonCode ?? 'ENDED_BY_BROKER');
    });
    client.on('message', (topic, payload, { retain, properties }) => {
      const { responseTopic, correlationData } = properties ?? {};
      events.message({
        ...{ topic, payload, retain },
        ...(responseTopic === undefined ? {} : { responseTopic }),
        ...(correlationData === undefined ? {} : { correlationData }),
      });
    });
    events.abort.addEventListener('abort', () => connection ?? client.end(true), { once: true });
    client.once('connect', () => {
      connection = new ClientConnection(client, options);
      resolve(connection);
    });
    client.once('close', () => {
      client.end(true);
      if (!connection) return reject(cause ?? connectionError('CLOSED_EARLY'));
      const reason = whyNot(cause ?? connectionError('CLOSED'), options);
      connection.failPending(reason);
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
    // Otherwise a QoS 0 message published offline is kept and sent after the next connect.
    queueQoSZero: false,
    ...(options.username ? { username: options.username } : {}),
    // MQTT knows no password without a user name, and a broker ends such a connection.
    ...(options.username && options.password ? { password: options.password } : {}),
    ...(options.will ? { will: willOf(options.will()) } : {}),
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

/** One live connection; when it ends, everything that the broker has not taken by then has failed. */
class ClientConnection implements Connection {
  #client: MqttClient;
  #options: BusOptions;
  #pending = new Set<(reason: Error) => void>();

  constructor(client: MqttClient, options: BusOptions) {
    this.#client = client;
    this.#options = options;
  }

  publish(topic: string, payload: string, { qos, retain = false, ...extras }: PublishOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      // Checked here as well: between the end of a socket and its `close` event MQTT.js would keep the message.
      if (!this.#client.connected || !this.#client.stream.writable)
        return reject(brokerDown(brokerMessage('closed')));
      this.#pending.add(reject);
      this.#client.publish(topic, payload, { qos, retain, ...propertiesOf(extras) }, (error) => {
        this.#pending.delete(reject);
        if (error) reject(this.#refusal(topic, error));
        else resolve();
      });
    });
  }

  /** Resolves with the filters that the broker refused. */
  subscribe(filters: string[]): Promise<string[]> {
    return new Promise((resolve) => {
      this.#client.subscribe(filters, { qos: 1 }, (error, granted = []) => {
        // MQTT.js reports one refused filter as the failure of all; the grants still say which one it was.
        const refused = granted.filter(({ qos }) => qos >= 128).map(({ topic }) => topic);
        resolve(error && this.#client.connected && refused.length === 0 ? filters : refused);
      });
    });
  }

  unsubscribe(filter: string): void {
    this.#client.unsubscribe(filter, () => {});
  }

  /** Says goodbye to the broker, so that it does not publish the last will; cut off after a second. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      const cut = setTimeout(() => this.#client.end(true, () => resolve()), 1000);
      this.#client.end(false, {}, () => {
        clearTimeout(cut);
        resolve();
      });
    });
  }

  failPending(reason: Text): void {
    for (const reject of [...this.#pending]) reject(brokerDown(reason));
    this.#pending.clear();
  }

  #refusal(topic: string, error: Error): GatewayError {
    if (!isForbidden(error)) return brokerDown(whyNot(error, this.#options));
    return new GatewayError('BROKER_FORBIDS', brokerMessage('no-publish', { topic }));
  }
}
