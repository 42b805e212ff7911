import { randomUUID } from 'node:crypto';
import { type Actor, actorText } from '../shared/actor.js';
import { connectionTests } from '../shared/connection-tests.js';
import { errorText, messageOf } from '../shared/errors.js';
import type { Text } from '../shared/messages/message.js';
import type { Tally } from '../shared/metric.js';
import type { Alarm, PostWebhook, SendMail, SendResult } from '../shared/ports/alarms.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import type { MessageBus } from '../shared/ports/mqtt.js';
import type { Store } from '../shared/ports/store.js';
import {
  ALARM_KINDS,
  type AlarmEvent,
  type AlarmSource,
  alarmOf,
  type EventGroup,
  type Target,
} from './alarm.js';
import { Coalescer } from './coalescer.js';
import { alarmMessage } from './messages.js';
import { Outbox } from './outbox.js';
import { AlarmReads } from './reads.js';
import type { AlarmsSettings } from './settings-schema.js';
import { AlarmSubscriptions } from './subscriptions.js';

export interface AlarmsDeps {
  store: Store;
  clock: Clock;
  log: Log;
  settings: () => AlarmsSettings;
  source: () => Omit<AlarmSource, 'language'>;
  /** If false, only the configured targets receive alarms. */
  hasUsers: boolean;
  sendMail: SendMail;
  postWebhook: PostWebhook;
  mqtt: { bus: Pick<MessageBus, 'status' | 'publish'>; topic: string; payload: (alarm: Alarm) => string };
}

export interface TestRequest {
  cartID: number;
  by: Actor;
}

export type TestResult = { ok: true; ms: number } | { ok: false; reason: Text };

/** Reports events to people and programs outside the gateway, by e-mail, webhook and MQTT. */
export class Alarms {
  readonly #deps: AlarmsDeps;
  readonly #coalescer: Coalescer;
  readonly #outbox: Outbox;
  readonly subscriptions: AlarmSubscriptions;

  private constructor(deps: AlarmsDeps) {
    this.#deps = deps;
    const reads = new AlarmReads(deps.store.read);
    this.subscriptions = new AlarmSubscriptions(deps.store, reads);
    this.#coalescer = new Coalescer(deps.clock, (group) => this.#report(group));
    this.#outbox = new Outbox({
      ...deps,
      reads,
      send: (alarm, target) => this.#send(alarm, target),
      isConfigured: ({ kind }, target) => includes(this.#targetsFor(kind), target),
    });
  }

  /** Resumes the deliveries that were waiting when the gateway stopped. */
  static async open(deps: AlarmsDeps): Promise<Alarms> {
    const alarms = new Alarms(deps);
    await alarms.#outbox.start();
    return alarms;
  }

  /** Returns immediately. Further events of the same kind within 60 s are reported as a group. */
  raise(event: Omit<AlarmEvent, 'at'>): void {
    this.#coalescer.add({ ...event, at: Math.trunc(this.#deps.clock.wallTime()) });
  }

  targets(): Target[] {
    const { mail, webhook, mqtt } = this.#deps.settings();
    const recipients = mail.host === '' ? [] : mail.recipients;
    return [
      ...recipients.map((target): Target => ({ channel: 'mail', target })),
      ...webhook.urls.map((target): Target => ({ channel: 'webhook', target })),
      ...(mqtt ? [{ channel: 'mqtt', target: this.#deps.mqtt.topic } as const] : []),
    ];
  }

  get hasMail(): boolean {
    return this.#deps.settings().mail.host !== '';
  }

  /** Makes one attempt to send a test alarm to a configured target. */
  async test(target: Target, request: TestRequest): Promise<TestResult> {
    if (!includes(this.targets(), target)) return { ok: false, reason: alarmMessage('channel-unknown') };
    return await this.#test(target, request);
  }

  /** Makes one attempt to send a test alarm to the address of the user's subscription. */
  async testOwn(userId: number, request: TestRequest): Promise<TestResult> {
    const { address } = this.subscriptions.of(userId);
    if (address === '') return { ok: false, reason: alarmMessage('not-subscribed') };
    if (!this.hasMail) return { ok: false, reason: alarmMessage('no-mail-server') };
    return await this.#test({ channel: 'mail', target: address }, request);
  }

  async #test(target: Target, { cartID, by }: TestRequest): Promise<TestResult> {
    const { clock } = this.#deps;
    const at = Math.trunc(clock.wallTime());
    const event: AlarmEvent = { kind: 'test', cartID, at, detail: actorText(by) };
    const startedMs = clock.now();
    const alarm = this.#alarm({ event, count: 1, since: at });
    const result = await connectionTests.run(() => this.#send(alarm, target));
    if (result.outcome === 'delivered') {
      this.#outbox.clearFault(target);
      return { ok: true, ms: Math.round(clock.now() - startedMs) };
    }
    return { ok: false, reason: result.reason };
  }

  /** The latest delivery failure of each current target since its last successful delivery. */
  get faults(): Text[] {
    const { faults } = this.#outbox;
    if (faults.length === 0) return [];
    const targets = ALARM_KINDS.flatMap((kind) => this.#targetsFor(kind));
    return faults.filter((fault) => includes(targets, fault)).map(({ text }) => text);
  }

  /** Number of deliveries by outcome and channel. */
  get results(): Tally {
    return this.#outbox.results;
  }

  async close(): Promise<void> {
    this.#coalescer.close();
    await this.#outbox.close();
  }

  /** Must not throw: an uncaught error would end the process and stop the cart. */
  #report(group: EventGroup): void {
    const { kind } = group.event;
    try {
      const targets = this.#targetsFor(kind);
      if (targets.length === 0) return;
      const alarm = this.#alarm(group);
      this.#deps.log.info('alarm.raised', { alarmId: alarm.id, kind, count: alarm.count });
      this.#outbox.add(alarm, targets);
    } catch (error) {
      this.#deps.log.error('alarm.raise_failed', { kind, reason: messageOf(error) });
    }
  }

  #alarm(group: EventGroup): Alarm {
    const { language } = this.#deps.settings();
    return alarmOf(randomUUID(), group, { ...this.#deps.source(), language });
  }

  #targetsFor(kind: string): Target[] {
    const targets = this.targets();
    if (!this.hasMail || !this.#deps.hasUsers) return targets;
    const subscribed = this.#addresses(kind).map((target): Target => {
      return { channel: 'mail', target };
    });
    const more = subscribed.filter(
      (target, at) => !includes([...targets, ...subscribed.slice(0, at)], target),
    );
    return [...targets, ...more];
  }

  #addresses(kind: string): string[] {
    try {
      return this.subscriptions.addresses(kind);
    } catch (error) {
      this.#deps.log.error('alarm.subscriptions_read_failed', { kind, reason: messageOf(error) });
      return [];
    }
  }

  async #send(alarm: Alarm, { channel, target }: Target): Promise<SendResult> {
    const { settings, sendMail, postWebhook } = this.#deps;
    const { mail, webhook } = settings();
    switch (channel) {
      case 'mail':
        return await sendMail(mail, target, alarm);
      case 'webhook':
        return await postWebhook(target, {
          id: alarm.id,
          secret: webhook.secret,
          body: JSON.stringify({ ...alarm, time: new Date(alarm.at).toISOString() }),
        });
      case 'mqtt':
        return await this.#publish(alarm, target);
    }
  }

  async #publish(alarm: Alarm, topic: string): Promise<SendResult> {
    const { bus, payload } = this.#deps.mqtt;
    const { connected, reason } = bus.status();
    if (!connected) {
      return { outcome: 'failed', scope: 'channel', reason: alarmMessage('broker-down', { reason }) };
    }
    try {
      await bus.publish(topic, payload(alarm), { qos: 1 });
      return { outcome: 'delivered' };
    } catch (error) {
      return {
        outcome: 'unknown',
        reason: alarmMessage('unanswered', { reason: errorText(error) }),
      };
    }
  }
}

function includes(targets: readonly Target[], { channel, target }: Target): boolean {
  return targets.some((known) => known.channel === channel && known.target === target);
}
