import type { Command } from '../../command/command.js';
import { originView } from '../../command/command.js';
import type { CartView, CommandState, Order, Origin, Reason } from '../../command/model.js';
import type { Basis } from './schema.js';

/** Command states that VDA 5050 does not define are reported as failures with a reason. */
const ACTION_STATUS: Record<
  CommandState,
  'WAITING' | 'INITIALIZING' | 'RUNNING' | 'PAUSED' | 'FINISHED' | 'FAILED'
> = {
  ACCEPTED: 'WAITING',
  QUEUED: 'WAITING',
  SENT: 'INITIALIZING',
  ACKNOWLEDGED: 'INITIALIZING',
  RUNNING: 'RUNNING',
  PAUSED: 'PAUSED',
  FINISHED: 'FINISHED',
  FAILED: 'FAILED',
  EXPIRED: 'FAILED',
  CANCELLED: 'FAILED',
  REJECTED: 'FAILED',
};

const PRIORITY: Record<Order['kind'], number> = { stop: 1, jog: 3, move: 4 };

export function actionStatus(state: CommandState): string {
  return ACTION_STATUS[state];
}

/** Contains the order's values before and after conversion, and the state that the order is based on. */
export function commandBody(order: Order, origin: Origin, seq: number, basis: Basis): object {
  return {
    commandId: order.commandId,
    seq,
    kind: order.kind,
    distanceID: order.raw.distanceID,
    angleID: order.raw.angleID,
    distanceMm: order.distanceMm,
    angleDeg: order.angleDdeg / 10,
    units: { distanceMm: 'mm', angleDeg: 'deg', maxSpeed: 'mm/s', ttlMs: 'ms' },
    maxSpeed: order.maxSpeedMmps,
    ttlMs: order.ttlMs,
    priority: PRIORITY[order.kind],
    onBusy: order.onBusy,
    basis,
    origin: originView(origin),
  };
}

export function ackBody(command: Command): object {
  const { state, reason, result, transitions, acceptedAtMs } = command;
  const latencyMs = Math.round((transitions.at(-1)?.atMs ?? acceptedAtMs) - acceptedAtMs);
  return {
    commandId: command.id,
    state,
    actionStatus: actionStatus(state),
    ...(reason ? { reason } : {}),
    ...(result ? { result } : {}),
    latencyMs,
    simulated: command.simulated,
  };
}

export interface AnswerMessage {
  /** REJECTED: the request was not started. FAILED: the request was started but not completed. */
  state: 'FINISHED' | 'FAILED' | 'REJECTED';
  reason?: Reason | undefined;
  to: { gatewayId: string; sessionId: string } | undefined;
  simulated: boolean;
}

export function answerBody(id: string, { state, reason, to, simulated }: AnswerMessage): object {
  return {
    commandId: id,
    state,
    actionStatus: actionStatus(state),
    ...(reason ? { reason } : {}),
    latencyMs: 0,
    simulated,
    // Names the recipient, because another sender may be tracking a command with the same ID.
    ...(to ? { inReplyTo: { gatewayId: to.gatewayId, sessionId: to.sessionId } } : {}),
  };
}

export function action(
  actionType: string,
  actionId: string,
  parameters: Record<string, string | Basis> = {},
): object {
  const actionParameters = Object.entries(parameters).map(([key, value]) => ({ key, value }));
  return { actionType, actionId, blockingType: 'NONE', actionParameters };
}

/** Returns the pose and speed in the units of VDA 5050: m, rad, s. */
export function visualizationBody({ pose, telemetry }: CartView): object {
  return {
    ...(pose
      ? {
          mobileRobotPosition: {
            x: round(pose.xMm / 1000),
            y: round(pose.yMm / 1000),
            theta: round((pose.headingDeg * Math.PI) / 180),
            mapId: '',
            // The position is relative to the cart's position at power-on, not to a map.
            localized: false,
          },
        }
      : {}),
    velocity: {
      vx: round((telemetry?.speedMmps ?? 0) / 1000),
      omega: round(((telemetry?.omegaDdegps ?? 0) * Math.PI) / 1800),
    },
  };
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
