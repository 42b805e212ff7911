import { randomUUID } from 'node:crypto';
import type { BusOptions } from '../../../../src/adapters/mqtt/options.js';
import type { Order, Origin } from '../../../../src/carts/command/model.js';
import type { LimitsSettings } from '../../../../src/carts/control/settings-schema.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { lastWill, MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import type { TopicIdentity } from '../../../../src/carts/mqtt/messages/topics.js';
import type { KinematicsSettings } from '../../../../src/carts/serial/settings-schema.js';
import { userActor } from '../../../../src/shared/actor.js';
import type { MessageBus } from '../../../../src/shared/ports/mqtt.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { FakeDispatcher } from './fake-dispatcher.js';
import { Inbox, type Json, openBroker, openBus, within } from './test-bus.js';

export const LIMITS: LimitsSettings = {
  maxDistanceMm: 10_000,
  holdAboveMm: 2000,
  maxAngleDeg: 360,
  maxSpeedMmps: 300,
  defaultSpeedMmps: 300,
  accelMmps2: 500,
  decelMmps2: 500,
  minBatteryMv: 0,
  maxMotorC: 80,
  ratePerSec: 20,
  ttlMs: 2000,
  onBusy: 'replace',
  remoteHeartbeatMs: 0,
};
export const KINEMATICS = { type: 'differential', maxSteerDeg: 30 } as KinematicsSettings;

export const USER: Origin = { source: 'http', gatewayId: 'gw-1', actor: userActor('alice') };

export function identityOf(cartId: number): TopicIdentity {
  return {
    cartId,
    fleet: 'site1',
    manufacturer: 'acme',
    root: 'cart/v1',
    gatewayId: `gw-${cartId}`,
    sessionId: randomUUID(),
    name: `Cart ${cartId}`,
  };
}

/** Returns an order for cart 2 to move 1 m. */
export function order(changes: Partial<Order> = {}): Order {
  return {
    commandId: randomUUID(),
    cartId: 2,
    kind: 'move',
    raw: { distanceID: 1000, angleID: 0 },
    distanceMm: 1000,
    angleDdeg: 0,
    maxSpeedMmps: 300,
    ttlMs: 2000,
    onBusy: 'replace',
    ...changes,
  };
}

export interface TestCart {
  bus: MessageBus;
  clock: FakeClock;
  dispatcher: FakeDispatcher;
  agent: MqttAgent;
  identity: TopicIdentity;
}

type Later = (cleanup: () => unknown) => void;

export async function openTestCart(
  port: number,
  later: Later,
  cartId = 2,
  options: Partial<BusOptions> = {},
): Promise<TestCart> {
  const clock = new FakeClock();
  const identity = identityOf(cartId);
  const bus = await openBus(port, {
    will: () => lastWill(identity, clock),
    clientId: `cart-site1-${cartId}`,
    ...options,
  });
  const dispatcher = new FakeDispatcher(clock, { cartID: cartId, name: `Cart ${cartId}` });
  const agent = new MqttAgent({
    bus,
    dispatcher,
    identity,
    clock,
    log: new RecordingLog(),
    factsheet: () => ({ limits: LIMITS }),
    rules: () => ({ limits: LIMITS, kinematics: KINEMATICS }),
  });
  agent.start();
  later(async () => {
    await agent.close();
    await bus.close();
  });
  return { bus, clock, dispatcher, agent, identity };
}

/** Opens gateway 1's registry of remote carts, with its own clock and connection. */
export async function openRemoteCarts(port: number, later: Later, known: number[] = [2, 3]) {
  const clock = new FakeClock();
  const identity = identityOf(1);
  const bus = await openBus(port);
  const log = new RecordingLog();
  const unknown = { allowed: false };
  const remoteCarts = new RemoteCartRegistry({
    bus,
    identity,
    clock,
    log,
    known: () => known.map((cartID) => ({ cartID, name: `Cart ${cartID}` })),
    allowUnknown: () => unknown.allowed,
  });
  remoteCarts.start();
  later(async () => {
    remoteCarts.close();
    await bus.close();
  });
  return { bus, clock, remoteCarts, identity, log, unknown };
}

/** Resolves when `holds` returns true. Calls `holds` on every change to the remote carts. */
export async function until(
  remoteCarts: RemoteCartRegistry,
  what: string,
  holds: () => boolean,
): Promise<void> {
  if (holds()) return;
  await within(
    new Promise<void>((resolve) => {
      const check = () => {
        if (!holds()) return;
        for (const cancel of cancels) cancel();
        resolve();
      };
      const cancels = [remoteCarts.onChange(check), remoteCarts.onCommand(check)];
    }),
    what,
  );
}

export const view = (remoteCarts: RemoteCartRegistry, cartId: number) =>
  remoteCarts.carts().find(({ cartID }) => cartID === cartId);
export const online = (remoteCarts: RemoteCartRegistry, cartId = 2) =>
  until(remoteCarts, `cart ${cartId} online`, () => view(remoteCarts, cartId)?.online === true);

export async function openFixture(later: Later) {
  const broker = await openBroker();
  later(() => broker.close());
  const observer = await openBus(broker.port);
  later(() => observer.close());
  const inbox = new Inbox(observer, 'cart/v1/site1/#');
  const testCart = await openTestCart(broker.port, later);
  const state = await inbox.json('the first state', (_body, topic) => topic.endsWith('/2/state'));
  const send = (topic: string, body: unknown, options: { retain?: boolean; qos?: 0 | 1 } = {}) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    return observer.publish(`cart/v1/site1/${topic}`, payload, { qos: 0, ...options });
  };
  return { broker, observer, inbox, send, state, ...testCart };
}

let seq = 0;

/** Returns a `command` message for cart 2 from gateway 9, based on this state. */
export function commandMessage(state: Json, changes: object = {}): Json {
  seq += 1;
  return {
    headerId: seq,
    timestamp: new Date().toISOString(),
    version: '3.0.0',
    manufacturer: 'acme',
    serialNumber: '2',
    cartID: 2,
    gatewayId: 'gw-9',
    sessionId: 'session-9',
    commandId: randomUUID(),
    seq,
    kind: 'move',
    distanceID: 1000,
    angleID: 0,
    distanceMm: 1000,
    angleDeg: 0,
    maxSpeed: 300,
    ttlMs: 2000,
    priority: 4,
    onBusy: 'replace',
    basis: { sessionId: state.sessionId, stateHeaderId: state.headerId },
    origin: { gatewayId: 'gw-9', source: 'http', principal: 'bob' },
    ...changes,
  };
}

export function actionMessage(
  actionType: string,
  parameters: Record<string, unknown> = {},
  actionId: string = randomUUID(),
) {
  const actionParameters = Object.entries(parameters).map(([key, value]) => ({ key, value }));
  return {
    headerId: 1,
    gatewayId: 'gw-9',
    sessionId: 'session-9',
    actions: [{ actionType, actionId, blockingType: 'NONE', actionParameters }],
  };
}
