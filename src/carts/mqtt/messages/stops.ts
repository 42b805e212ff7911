import { randomUUID } from 'node:crypto';
import { gatewayActor, wireName } from '../../../shared/actor.js';
import type { BusMessage } from '../../../shared/ports/mqtt.js';
import { isJsonObject } from '../../../shared/validation/json.js';
import type { StopKind } from '../../control/contracts.js';
import type { CommandMessage, InstantActionsMessage } from './schema.js';

/**
 * A stop is executed even if its message violates the schema, because its other fields are only for display.
 * These readers replace every invalid field, so that the stop is handled as usual.
 */

/**
 * Larger than `MAX_BYTES`, the limit for other messages, because a stop may contain a long text. A message of this
 * size is parsed in about 1 ms.
 */
const MAX_STOP_BYTES = 64 * 1024;
const MAX_ACTIONS = 10;
const UNKNOWN = 'unknown';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A pause is handled as a stop, because a motion cannot be resumed. */
const STOPS: Record<string, StopKind> = {
  cancelOrder: 'stop',
  startPause: 'stop',
  haltCat1: 'halt',
  emergencyStop: 'estop',
};

export function stopOf(actionType: string): StopKind | undefined {
  return Object.hasOwn(STOPS, actionType) ? STOPS[actionType] : undefined;
}

/**
 * Returns the stops in an invalid message; undefined if the message contains no stops. At most 10, latching stops
 * first.
 */
export function readStopActions(message: BusMessage): InstantActionsMessage | undefined {
  const json = parsed(message);
  if (!isJsonObject(json) || !Array.isArray(json.actions)) return undefined;
  const stops = json.actions.filter(
    (action: unknown): action is Record<string, unknown> & { actionType: string } =>
      isJsonObject(action) &&
      typeof action.actionType === 'string' &&
      stopOf(action.actionType) !== undefined,
  );
  if (stops.length === 0) return undefined;
  const isEstop = ({ actionType }: { actionType: string }) => stopOf(actionType) === 'estop';
  const ordered = stops.toSorted((a, b) => Number(isEstop(b)) - Number(isEstop(a)));
  const origin = originIn(json.origin);
  return {
    headerId: 0,
    gatewayId: idIn(json.gatewayId) ?? UNKNOWN,
    sessionId: idIn(json.sessionId) ?? UNKNOWN,
    ...(origin ? { origin } : {}),
    actions: ordered.slice(0, MAX_ACTIONS).map(({ actionType, actionId, actionParameters }) => ({
      actionType,
      actionId: idIn(actionId) ?? randomUUID(),
      actionParameters: parametersIn(actionParameters),
    })),
  };
}

/** Returns the stop in an invalid `command` message for `cartId`; undefined if the message is not a stop. */
export function readStopCommand(message: BusMessage, cartId: number): CommandMessage | undefined {
  const json = parsed(message);
  if (!isJsonObject(json)) return undefined;
  const { kind, distanceMm, angleDeg, cartID, commandId, maxSpeed, ttlMs } = json;
  const isStill = distanceMm === 0 && typeof angleDeg === 'number' && Math.round(angleDeg * 10) === 0;
  if (kind !== 'stop' && !isStill) return undefined;
  const gatewayId = idIn(json.gatewayId) ?? UNKNOWN;
  const sessionId = idIn(json.sessionId) ?? UNKNOWN;
  return {
    headerId: 0,
    // A missing or invalid number is replaced with the number in the topic. A valid number of a different cart is
    // kept, because it reveals a bridge loop.
    cartID: integerIn(cartID, 1, 65_535) ?? cartId,
    gatewayId,
    sessionId,
    commandId: typeof commandId === 'string' && UUID.test(commandId) ? commandId : randomUUID(),
    seq: 0,
    kind: 'stop',
    distanceID: 0,
    angleID: 0,
    distanceMm: 0,
    angleDeg: 0,
    maxSpeed: integerIn(maxSpeed, 1, 3000) ?? 1,
    ttlMs: integerIn(ttlMs, 100, 10_000) ?? 1000,
    basis: { sessionId, stateHeaderId: 0 },
    origin: originIn(json.origin) ?? { gatewayId, principal: wireName(gatewayActor(gatewayId)) },
  };
}

/** Returns the value of an action's parameter; undefined if it is missing. */
export function parameter(
  { actionParameters = [] }: InstantActionsMessage['actions'][number],
  name: string,
): unknown {
  return actionParameters.find(({ key }) => key === name)?.value;
}

/**
 * Returns the ID of the order that a `cancelOrder` action names; undefined if it is missing or is not a valid order
 * ID.
 */
export function orderIdOf(action: InstantActionsMessage['actions'][number]): string | undefined {
  const orderId = parameter(action, 'orderId');
  return typeof orderId === 'string' && UUID.test(orderId) ? orderId : undefined;
}

function parsed({ payload }: BusMessage): unknown {
  if (payload.length > MAX_STOP_BYTES) return undefined;
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}

function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && [...value].length <= 64 ? value : undefined;
}

function integerIn(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
}

function originIn(value: unknown): CommandMessage['origin'] | undefined {
  if (!isJsonObject(value)) return undefined;
  const gatewayId = idIn(value.gatewayId);
  const principal = idIn(value.principal);
  return gatewayId && principal ? { gatewayId, principal } : undefined;
}

function parametersIn(value: unknown): { key: string; value: unknown }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) =>
    isJsonObject(entry) && typeof entry.key === 'string' ? [{ key: entry.key, value: entry.value }] : [],
  );
}
