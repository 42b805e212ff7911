import { isDeepStrictEqual } from 'node:util';
import { type BrokerAuthorizer, createBrokerAuthorizer } from '../../access/index.js';
import type { BrokerStats, EmbeddedBroker } from '../../adapters/broker/broker.js';
import { brokerMessage } from '../../adapters/mqtt/messages.js';
import {
  type BrokerTestFault,
  type BusOptions,
  brokerUrlOf,
  connectBus,
  testBroker,
} from '../../adapters/mqtt/mqtt.js';
import { ReplaceableBus } from '../../adapters/mqtt/replaceable-bus.js';
import { lastWill } from '../../carts/index.js';
import type { Settings, SettingsService } from '../../settings/index.js';
import { errorText, messageOf } from '../../shared/errors.js';
import type { Message, Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import type { AppContext } from '../context.js';
import { isEveryAddress, isLocalOnly, localName, ownAddresses } from './own-names.js';

/** Retry interval. The port may be in use for a short time after a restart. */
const RETRY_MS = 5000;

interface BrokerDeps {
  settings: SettingsService;
  authorizer: BrokerAuthorizer;
  clock: Clock;
  log: Log;
}

type Will = NonNullable<BusOptions['will']>;

interface Client {
  bus: ReplaceableBus;
  clientId: string;
  will: Will;
}

/** The broker and this process's connections to it. A settings change replaces all of them. */
export class BrokerLink {
  #deps: BrokerDeps;
  #queue = new SerialQueue();
  #clients: Client[] = [];
  #leaveCallbacks: (() => Promise<void>)[] = [];
  #embedded: EmbeddedBroker | undefined;
  #retry: Cancel = () => undefined;
  #closed = false;
  #lastReason = '';

  constructor(deps: BrokerDeps) {
    this.#deps = deps;
  }

  /** Creates a separate connection, which is reopened when the settings change. */
  client(clientId: string, will: Will): ReplaceableBus {
    const bus = new ReplaceableBus(this.#deps.settings.current.mqtt.broker === 'embedded');
    this.#clients.push({ bus, clientId, will });
    return bus;
  }

  /** Registers a callback that publishes a retained OFFLINE message before the broker changes. */
  beforeLeaving(callback: () => Promise<void>): void {
    this.#leaveCallbacks.push(callback);
  }

  /** The port of the broker in this gateway; undefined if the broker is not running. */
  get port(): number | undefined {
    return this.#embedded?.port;
  }

  get stats(): BrokerStats | undefined {
    return this.#embedded?.stats();
  }

  /** Opens the broker and its connections, and retries if this fails. */
  open(): Promise<void> {
    return this.#queue.take(() => this.#open());
  }

  /** Closes the old connections before it opens new ones. */
  reopen(): Promise<void> {
    return this.#queue.take(async () => {
      await Promise.all(this.#leaveCallbacks.map((callback) => callback()));
      await this.#release(brokerMessage('settings-changed'));
      await this.#open();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#retry();
    await this.#queue.take(() => this.#release(sharedMessage('stopping')));
  }

  async #open(): Promise<void> {
    if (this.#closed) return;
    const { settings, authorizer, log, clock } = this.#deps;
    const { mqtt } = settings.current;
    try {
      if (mqtt.broker === 'embedded') {
        const { startBroker } = await import('../../adapters/broker/broker.js');
        this.#embedded = await startBroker({ host: mqtt.host, port: mqtt.port, ...authorizer, log });
      }
      const options = await this.#options();
      this.#lastReason = '';
      const dial = this.#embedded?.dial;
      for (const { bus, ...client } of this.#clients) bus.use(connectBus({ ...options, ...client }, dial));
    } catch (error) {
      if (messageOf(error) !== this.#lastReason) log.warn('broker.open_failed', { reason: messageOf(error) });
      this.#lastReason = messageOf(error);
      await this.#release(errorText(error));
      this.#retry = clock.after(RETRY_MS, () => void this.open());
    }
  }

  async #release(reason: Text): Promise<void> {
    this.#retry();
    const { mqtt } = this.#deps.settings.current;
    const where = {
      url: `${mqtt.protocol}://${mqtt.host}:${mqtt.port}`,
      embedded: mqtt.broker === 'embedded',
    };
    await Promise.all(this.#clients.map(({ bus }) => bus.release(reason, where)));
    await this.#embedded?.close();
    this.#embedded = undefined;
  }

  async #options(): Promise<Omit<BusOptions, 'clientId' | 'will'>> {
    const { settings, clock, log } = this.#deps;
    const { mqtt } = settings.current;
    const { protocolVersion, keepaliveS, tls } = mqtt;
    const base = { protocolVersion, keepaliveS, tls, clock, log };
    if (this.#embedded) {
      // The host and port are only displayed; this process connects in memory.
      const { host, port } = this.#embedded;
      return { ...base, host: loopback(host), port, protocol: 'mqtt', embedded: true };
    }
    const { host, port, protocol, username } = mqtt;
    return { ...base, host, port, protocol, username, password: await settings.password(), embedded: false };
  }
}

/** The MQTT broker and the gateway's connection to it. */
export interface Mqtt {
  broker: BrokerLink;
  bus: ReplaceableBus;
  authorizer: BrokerAuthorizer;
  /** Returns true if the broker authenticates its clients. */
  isAuthenticated(): boolean;
}

/** Nothing connects before `broker.open()`, which is called when the gateway is ready. */
export function openMqtt({ settings, access, identity, clock, log }: AppContext): Mqtt {
  const base = () => `${identity.root}/${identity.fleet}`;
  const authorizer = createBrokerAuthorizer({ keys: access.keys, isOpen: access.isTrustedLan, base });
  const broker = new BrokerLink({ settings, authorizer, clock, log });
  const { clientId } = settings.current.mqtt;
  const ownId = clientId === 'auto' ? `cart-${identity.fleet}-${identity.cartId}` : clientId;
  return {
    broker,
    bus: broker.client(ownId, () => lastWill(identity, clock)),
    authorizer,
    isAuthenticated() {
      const { mqtt } = settings.current;
      return mqtt.broker === 'embedded' ? !access.isTrustedLan : mqtt.username !== '';
    },
  };
}

/** Returns an address that this machine can use to reach the listener. */
function loopback(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

function isThisMachine(host: string): boolean {
  return isLocalOnly(host) || isEveryAddress(host) || [localName(), ...ownAddresses()].includes(host);
}

/** Generic failure reasons, so that the connection test cannot be used to probe files and ports. */
const GENERIC_REASONS: Record<Exclude<BrokerTestFault, 'broker'>, Message> = {
  files: brokerMessage('trial.tls-file'),
  unreachable: brokerMessage('trial.no-connection'),
  silent: brokerMessage('trial.timeout'),
  session: brokerMessage('trial.no-session'),
};

/**
 * Tests MQTT settings without saving them. The password `***` selects the stored password. Failure details
 * are returned only for the configured address and TLS files.
 */
export async function testBrokerSettings(
  section: unknown,
  { settings, clock, log }: Pick<AppContext, 'settings' | 'clock' | 'log'>,
  { authorizer, broker }: Pick<Mqtt, 'authorizer' | 'broker'>,
): Promise<{ ok: true; ms: number } | { ok: false; reason: Text }> {
  const mqtt: Settings['mqtt'] = { ...settings.current.mqtt, ...(section as Partial<Settings['mqtt']>) };
  const isStored = mqtt.password === '***' || mqtt.password === settings.current.mqtt.password;
  const password = isStored ? await settings.password() : mqtt.password;
  const { host, port, protocol, protocolVersion, keepaliveS, tls } = mqtt;
  const { port: ownPort } = broker;
  if (mqtt.broker === 'external' && port === ownPort && isThisMachine(host))
    return { ok: false, reason: brokerMessage('trial.own-broker') };
  // The internal credentials are sent only to the embedded broker, even if another address is entered.
  const current = settings.current.mqtt;
  const isEmbedded =
    [mqtt, current].every(({ broker }) => broker === 'embedded') &&
    host === current.host &&
    (port === current.port || port === ownPort);
  const login = isEmbedded ? authorizer.own : { username: mqtt.username, password };
  const result = await testBroker({
    // The embedded broker does not support TLS.
    ...(isEmbedded ? { host: loopback(host), protocol: 'mqtt' } : { host, protocol }),
    port,
    protocolVersion,
    ...login,
    keepaliveS,
    tls,
    clock,
    log,
  });
  if (result.ok) return result;
  const { reason, fault } = result;
  const isConfigured =
    host === current.host &&
    port === current.port &&
    protocol === current.protocol &&
    isDeepStrictEqual(tls, current.tls);
  if (isConfigured || fault === 'broker') return { ok: false, reason };
  return {
    ok: false,
    reason: sharedMessage('both', {
      first: brokerUrlOf({ host, port, protocol }),
      second: GENERIC_REASONS[fault],
    }),
  };
}
