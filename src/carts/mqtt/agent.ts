import type { KeyObject } from 'node:crypto';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BusMessage, MessageBus } from '../../shared/ports/mqtt.js';
import type { Reason } from '../command/model.js';
import type { CommandGateway } from '../control/contracts.js';
import { AckPublisher } from './ack-publisher.js';
import { CommandMessageHandler } from './command-message-handler.js';
import { FreshnessWindow } from './freshness-window.js';
import { HeartbeatWatch } from './heartbeat-watch.js';
import { InstantActions } from './instant-actions.js';
import { encodeMessage } from './messages/encode.js';
import type { OrderRules } from './messages/limits.js';
import type { StateSource } from './messages/state.js';
import { ALL, Headers, type TopicIdentity, Topics } from './messages/topics.js';
import { CartPublisher } from './publisher.js';
import { RejectedMessages } from './rejected-messages.js';
import { StatePublisher } from './state-publisher.js';

/** RabbitMQ does not deliver retained messages to wildcard filters, so the ONLINE message is repeated. */
const ANNOUNCE_MS = 30_000;
const CLOSE_MS = 1000;
const RETAINED = { qos: 1, retain: true } as const;

interface MqttAgentDeps {
  bus: MessageBus;
  dispatcher: CommandGateway;
  identity: TopicIdentity;
  clock: Clock;
  log: Log;
  factsheet: () => object;
  rules: () => OrderRules;
  siteKey?: KeyObject | undefined;
  /** True if the broker authenticates its clients; otherwise, pages do not show user names. */
  authenticated?: () => boolean;
  /** True if the wall clock is synchronised; only reported in the state. */
  clockSynced?: () => boolean | undefined;
}

export class MqttAgent {
  #deps: MqttAgentDeps;
  #publisher: CartPublisher;
  #refusals: RejectedMessages;
  #acks: AckPublisher;
  #commandMessages: CommandMessageHandler;
  #heartbeats: HeartbeatWatch;
  #actions: InstantActions;
  #statePublisher: StatePublisher;
  #cancels: Cancel[] = [];
  #connected = false;

  constructor(deps: MqttAgentDeps) {
    this.#deps = deps;
    this.#publisher = new CartPublisher(deps);
    const basis = new FreshnessWindow(deps.identity.sessionId, () => deps.dispatcher.emergencyStops);
    this.#refusals = new RejectedMessages(deps.clock, deps.log);
    this.#acks = new AckPublisher(this.#publisher, () => this.#statePublisher.changed());
    this.#statePublisher = new StatePublisher({
      ...deps,
      publisher: this.#publisher,
      basis,
      source: () => this.#source(),
    });
    this.#heartbeats = new HeartbeatWatch({
      key: deps.siteKey,
      limitMs: () => deps.rules().limits.remoteHeartbeatMs,
      clock: deps.clock,
      refusals: this.#refusals,
      lost: (command, reason) => deps.dispatcher.protect(command, reason),
    });
    const shared = { ...deps, acks: this.#acks, basis, refusals: this.#refusals };
    this.#commandMessages = new CommandMessageHandler({ ...shared, heartbeats: this.#heartbeats });
    this.#actions = new InstantActions({
      ...shared,
      publishState: () => this.#statePublisher.publish(),
      republishFactsheet: () => this.#publishFactsheet(),
      changed: () => this.#statePublisher.changed(),
      cancelUnknown: (commandId) => this.#commandMessages.cancel(commandId),
    });
  }

  start(): void {
    const { bus, dispatcher, identity, clock, siteKey } = this.#deps;
    const { topics } = this.#publisher;
    this.#cancels = [
      this.#listen(topics.of(identity.cartId, 'command'), (message) => this.#commandMessages.take(message)),
      // Without a site key, heartbeats cannot be verified, and a broker's existing access rules may forbid
      // the subscription.
      ...(siteKey
        ? [bus.subscribe(topics.of(identity.cartId, 'heartbeat'), (m) => this.#heartbeats.take(m))]
        : []),
      this.#listen(topics.of(identity.cartId, 'instantActions'), (message) =>
        this.#actions.take(message, false),
      ),
      this.#listen(topics.of(ALL, 'instantActions'), (message) => this.#actions.take(message, true)),
      this.#listen(topics.of(ALL, 'command'), ({ topic }) => {
        this.#refusals.add(
          { code: 'VALIDATION_FAILURE', text: 'a motion command cannot be sent to all carts at once' },
          { topic },
        );
      }),
      bus.onStatus(({ connected }) => this.#onBus(connected)),
      dispatcher.onOwnChange(() => this.#statePublisher.changed()),
      dispatcher.onOwnCommand((command) => {
        this.#acks.onTransition(command);
        this.#statePublisher.changed();
      }),
      clock.every(ANNOUNCE_MS, () => void this.#announce('ONLINE')),
    ];
    this.#statePublisher.start();
    this.#onBus(bus.status().connected);
  }

  async close(): Promise<void> {
    this.#statePublisher.stop();
    this.#heartbeats.close();
    for (const cancel of this.#cancels.splice(0)) cancel();
    await this.leave();
  }

  /** Reports a message that another module has rejected. */
  reject(reason: Reason, references: Record<string, string>): void {
    this.#refusals.add(reason, references);
    this.#statePublisher.changed();
  }

  /** Publishes OFFLINE before the broker is changed or the connection is closed; resolves within 1 s. */
  leave(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(CLOSE_MS, resolve);
      void this.#announce('OFFLINE').then(() => {
        cancel();
        resolve();
      });
    });
  }

  #listen(topic: string, take: (message: BusMessage) => void): Cancel {
    return this.#deps.bus.subscribe(topic, (message) => {
      take(this.#withAllowedReply(message));
      this.#statePublisher.changed();
    });
  }

  /** Removes a response topic that is not allowed, so that the response is published only on `ack`. */
  #withAllowedReply(message: BusMessage): BusMessage {
    const { responseTopic, ...rest } = message;
    if (responseTopic === undefined || this.#publisher.topics.mayAnswerOn(responseTopic)) return message;
    const text =
      'the requested response topic is not allowed; the response is published only on the ack topic';
    this.#refusals.add({ code: 'VALIDATION_FAILURE', text }, { topic: message.topic });
    return rest;
  }

  #onBus(connected: boolean): void {
    const isNew = connected && !this.#connected;
    this.#connected = connected;
    if (!isNew) return;
    void this.#announce('ONLINE');
    this.#publishFactsheet();
    this.#statePublisher.publish();
  }

  #announce(connectionState: 'ONLINE' | 'OFFLINE'): Promise<void> {
    return this.#publisher.publish('connection', { connectionState }, RETAINED);
  }

  #publishFactsheet(): void {
    const { dispatcher, factsheet, identity } = this.#deps;
    const body = { name: identity.name, simulated: dispatcher.ownCart().simulated, ...factsheet() };
    void this.#publisher.publish('factsheet', body, RETAINED);
  }

  #source(): StateSource {
    const { dispatcher, clockSynced, identity } = this.#deps;
    return {
      view: dispatcher.ownCart(),
      commands: this.#acks.commands,
      actions: this.#actions.states,
      refused: this.#refusals.list(),
      clockSynced: clockSynced?.(),
      generation: identity.generation,
    };
  }
}

/** Returns the last will. Its timestamp is outdated when the broker publishes it, so receivers use the arrival time. */
export function lastWill(identity: TopicIdentity, clock: Clock): { topic: string; payload: string } {
  const topic = new Topics(identity).of(identity.cartId, 'connection');
  const header = { ...new Headers(identity).next(topic, clock.wallTime()), headerId: 0 };
  return { topic, payload: encodeMessage('connection', { ...header, connectionState: 'CONNECTION_BROKEN' }) };
}
