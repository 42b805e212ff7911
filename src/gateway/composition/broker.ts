import { isDeepStrictEqual } from 'node:util';
import type { BrokerAuthorizer } from '../../access/mqtt/authorizer.js';
import type { BrokerStats, EmbeddedBroker } from '../../adapters/broker/broker.js';
import { brokerMessage } from '../../adapters/mqtt/messages.js';
import {
  type BrokerTestFault,
  type BusOptions,
  connectBus,
  testBroker,
  urlOf,
} from '../../adapters/mqtt/mqtt.js';
import { ReplaceableBus } from '../../adapters/mqtt/replaceable-bus.js';
import type { SettingsService } from '../../settings/document/settings.js';
import type { Settings } from '../../settings/schema/schema.js';
import { errorText, messageOf } from '../../shared/errors.js';
import type { Message, Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';

/** Another process may hold the port for a moment, after a restart for instance. */
const RETRY_MS = 5000;

interface BrokerDeps {
  settings: SettingsService;
  /** Who may come into the embedded broker, and what they may do there. */
  door: BrokerAuthorizer;
  clock: Clock;
  log: Log;
}

type Will = NonNullable<BusOptions['will']>;

interface Client {
  bus: ReplaceableBus;
  clientId: string;
  will: Will;
}

/** The broker of the settings, embedded or external, and this process's connections to it, kept in step with them. */
export class BrokerLink {
  #deps: BrokerDeps;
  #turns = new SerialQueue();
  #clients: Client[] = [];
  #leavers: (() => Promise<void>)[] = [];
  #embedded: EmbeddedBroker | undefined;
  #retry: Cancel = () => undefined;
  #closed = false;
  #lastReason = '';

  constructor(deps: BrokerDeps) {
    this.#deps = deps;
  }

  /** A connection of its own, made when the broker is opened and made anew when its settings change. */
  client(clientId: string, will: Will): ReplaceableBus {
    const bus = new ReplaceableBus(this.#deps.settings.current.mqtt.broker === 'embedded');
    this.#clients.push({ bus, clientId, will });
    return bus;
  }

  /** Called before a broker is left for another one: whoever is retained there as online says that he goes. */
  beforeLeaving(leave: () => Promise<void>): void {
    this.#leavers.push(leave);
  }

  /** Of the embedded broker; undefined while there is none. */
  get stats(): BrokerStats | undefined {
    return this.#embedded?.stats();
  }

  /** Connects in the background: a broker that is away keeps nothing else waiting. */
  open(): Promise<void> {
    return this.#turns.take(() => this.#open());
  }

  /** New settings: the old connections end before the new ones begin. */
  reopen(): Promise<void> {
    return this.#turns.take(async () => {
      await Promise.all(this.#leavers.map((leave) => leave()));
      await this.#release(brokerMessage('settings-changed'));
      await this.#open();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#retry();
    await this.#turns.take(() => this.#release(sharedMessage('stopping')));
  }

  async #open(): Promise<void> {
    if (this.#closed) return;
    const { settings, door, log, clock } = this.#deps;
    const { mqtt } = settings.current;
    try {
      if (mqtt.broker === 'embedded') {
        const { startBroker } = await import('../../adapters/broker/broker.js');
        this.#embedded = await startBroker({ host: mqtt.host, port: mqtt.port, ...door, log });
      }
      const options = await this.#options();
      this.#lastReason = '';
      const dial = this.#embedded?.dial;
      for (const { bus, ...client } of this.#clients) bus.use(connectBus({ ...options, ...client }, dial));
    } catch (error) {
      // The same reason again and again is one line in the log.
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
      // Where others find it: this process itself needs neither an address nor a password.
      const { host, port } = this.#embedded;
      return { ...base, host: loopback(host), port, protocol: 'mqtt', embedded: true };
    }
    const { host, port, protocol, username } = mqtt;
    return { ...base, host, port, protocol, username, password: await settings.password(), embedded: false };
  }
}

/** The address to call a listener of this machine at. */
function loopback(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

/** In place of reasons that would make the test a probe for files and foreign ports. */
const DISCREET: Record<Exclude<BrokerTestFault, 'broker'>, Message> = {
  files: brokerMessage('trial.tls-file'),
  unreachable: brokerMessage('trial.no-connection'),
  silent: brokerMessage('trial.timeout'),
  session: brokerMessage('trial.no-session'),
};

/**
 * Really tries the broker that an `mqtt` section describes; `***` stands for the password that is stored. The full reason
 * of a failure is for the configured address with the configured TLS files.
 */
export async function tryBroker(
  section: unknown,
  { settings, door, clock, log }: BrokerDeps,
): Promise<{ ok: true; ms: number } | { ok: false; reason: Text }> {
  const mqtt: Settings['mqtt'] = { ...settings.current.mqtt, ...(section as Partial<Settings['mqtt']>) };
  const stored = mqtt.password === '***' || mqtt.password === settings.current.mqtt.password;
  const password = stored ? await settings.password() : mqtt.password;
  const { host, port, protocol, protocolVersion, keepaliveS, tls } = mqtt;
  // Our own secret goes to our own broker and nowhere else, whatever address was typed.
  const now = settings.current.mqtt;
  const isOurs =
    [mqtt, now].every(({ broker }) => broker === 'embedded') && host === now.host && port === now.port;
  const login = isOurs ? door.own : { username: mqtt.username, password };
  const trial = await testBroker({
    host,
    port,
    protocol,
    protocolVersion,
    ...login,
    keepaliveS,
    tls,
    clock,
    log,
  });
  if (trial.ok) return trial;
  const { reason, fault } = trial;
  const isConfigured =
    host === now.host && port === now.port && protocol === now.protocol && isDeepStrictEqual(tls, now.tls);
  if (isConfigured || fault === 'broker') return { ok: false, reason };
  return {
    ok: false,
    reason: sharedMessage('both', { first: urlOf({ host, port, protocol }), second: DISCREET[fault] }),
  };
}
