import type { KeyObject } from 'node:crypto';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BusMessage, MessageBus } from '../../shared/ports/mqtt.js';
import { FreshnessWindow } from '../command/freshness-window.js';
import type { CommandGateway } from '../control/contracts.js';
import { AckPublisher } from './ack-publisher.js';
import { CommandMessageHandler } from './command-message-handler.js';
import { HeartbeatWatch } from './heartbeat-watch.js';
import { InstantActions } from './instant-actions.js';
import type { OrderRules } from './messages/limits.js';
import type { StateSource } from './messages/state.js';
import { ALL, type TopicIdentity } from './messages/topics.js';
import { CartPublisher } from './publisher.js';
import { RejectedMessages } from './rejected-messages.js';
import { StatePublisher } from './state-publisher.js';

export { lastWill } from './publisher.js';

/** RabbitMQ keeps retained messages per node and hands none to wildcard filters: being online is said again. */
const ANNOUNCE_MS = 30_000;
const CLOSE_MS = 1000;
const KEPT = { qos: 1, retain: true } as const;

interface MqttAgentDeps {
  bus: MessageBus;
  dispatcher: CommandGateway;
  identity: TopicIdentity;
  clock: Clock;
  log: Log;
  /** Limits, kinematics, driver and versions, for those who want to know before they command. */
  factsheet: () => object;
  /** The limits that commands from the tree are held against. */
  rules: () => OrderRules;
  /** Verifies the heartbeats of the gateways that command this cart. */
  siteKey?: KeyObject | undefined;
  /** Whether the broker checks who is connected: only then are the names of people in messages shown. */
  authenticated?: () => boolean;
  /** Whether the wall clock is known to be right; told in the state, decides nothing. */
  clockSynced?: () => boolean | undefined;
}

/** The gateway's own cart on the MQTT tree: tells how it is, and takes commands that come from elsewhere. */
export class MqttAgent {
  #deps: MqttAgentDeps;
  #publisher: CartPublisher;
  #refusals: RejectedMessages;
  #acks: AckPublisher;
  #intake: CommandMessageHandler;
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
    this.#acks = new AckPublisher(this.#publisher);
    this.#statePublisher = new StatePublisher({
      ...deps,
      publisher: this.#publisher,
      basis,
      source: () => this.#source(),
    });
    this.#heartbeats = new HeartbeatWatch({
      key: deps.siteKey,
      limitMs: () => deps.rules().limits.remoteHeartbeatMs,
      ...{ clock: deps.clock, refusals: this.#refusals },
      lost: (command, reason) => deps.dispatcher.protect(command, reason),
    });
    const shared = { ...deps, acks: this.#acks, basis, refusals: this.#refusals };
    this.#intake = new CommandMessageHandler({ ...shared, heartbeats: this.#heartbeats });
    this.#actions = new InstantActions({
      ...shared,
      report: () => this.#statePublisher.now(),
      factsheet: () => this.#sayFactsheet(),
      changed: () => this.#statePublisher.changed(),
      cancelUnknown: (commandId) => this.#intake.cancel(commandId),
    });
  }

  /** Listens, and says who is there as soon as the broker is. */
  start(): void {
    const { bus, dispatcher, identity, clock, siteKey } = this.#deps;
    const { topics } = this.#publisher;
    this.#cancels = [
      this.#listen(topics.of(identity.cartId, 'command'), (message) => this.#intake.take(message)),
      // Without a key there is nothing to verify, and rights at a broker from before heartbeats need not change.
      ...(siteKey
        ? [bus.subscribe(topics.of(identity.cartId, 'heartbeat'), (m) => this.#heartbeats.take(m))]
        : []),
      this.#listen(topics.of(identity.cartId, 'instantActions'), (message) =>
        this.#actions.take(message, false),
      ),
      this.#listen(topics.of(ALL, 'instantActions'), (message) => this.#actions.take(message, true)),
      this.#listen(topics.of(ALL, 'command'), ({ topic }) => {
        this.#refusals.add(
          { code: 'VALIDATION_FAILURE', text: 'no motion can be sent to every cart' },
          { topic },
        );
      }),
      bus.onStatus(({ connected }) => this.#onBus(connected)),
      dispatcher.onOwnChange(() => this.#statePublisher.changed()),
      dispatcher.onOwnCommand((command) => {
        this.#acks.moved(command);
        this.#statePublisher.changed();
      }),
      clock.every(ANNOUNCE_MS, () => void this.#announce('ONLINE')),
    ];
    this.#statePublisher.start();
    this.#onBus(bus.status().connected);
  }

  /** Falls silent, and says OFFLINE first; waits a second for that at most. */
  async close(): Promise<void> {
    this.#statePublisher.stop();
    this.#heartbeats.close();
    for (const cancel of this.#cancels.splice(0)) cancel();
    await this.leave();
  }

  /** Says OFFLINE on the broker that is about to be left; waits for it a second at most. */
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

  /** An answer is not sent wherever somebody likes; it is on the topic of the answers in any case. */
  #withAllowedReply(message: BusMessage): BusMessage {
    const { responseTopic, ...rest } = message;
    if (responseTopic === undefined || this.#publisher.topics.mayAnswerOn(responseTopic)) return message;
    const text = 'the response topic is not a free place of this fleet: the answer is on the ack topic alone';
    this.#refusals.add({ code: 'VALIDATION_FAILURE', text }, { topic: message.topic });
    return rest;
  }

  #onBus(connected: boolean): void {
    const greet = connected && !this.#connected;
    this.#connected = connected;
    if (!greet) return;
    void this.#announce('ONLINE');
    this.#sayFactsheet();
    this.#statePublisher.now();
  }

  #announce(connectionState: 'ONLINE' | 'OFFLINE'): Promise<void> {
    return this.#publisher.publish('connection', { connectionState }, KEPT);
  }

  #sayFactsheet(): void {
    const { dispatcher, factsheet, identity } = this.#deps;
    const body = { name: identity.name, simulated: dispatcher.ownCart().simulated, ...factsheet() };
    void this.#publisher.publish('factsheet', body, KEPT);
  }

  #source(): StateSource {
    const { dispatcher, clockSynced } = this.#deps;
    return {
      view: dispatcher.ownCart(),
      commands: this.#acks.commands,
      actions: this.#actions.states,
      refused: this.#refusals.list(),
      clockSynced: clockSynced?.(),
    };
  }
}
