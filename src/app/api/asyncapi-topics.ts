import { alarmMessageSchema } from '../../alarms/index.js';
import {
  ackMessageSchema,
  commandMessageSchema,
  connectionMessageSchema,
  HEADER,
  header,
  heartbeatMessageSchema,
  instantActionsMessageSchema,
  sightingsMessageSchema,
  stateMessageSchema,
  type TopicName,
  visualizationMessageSchema,
} from '../../carts/index.js';
import { ref } from '../../http/openapi/schema-helpers.js';
import type { Schema } from '../../http/openapi/types.js';
import { sitePlanMessageSchema } from '../../site/index.js';

export interface TopicDescription {
  summary: string;
  actions: readonly ('send' | 'receive')[];
  qos: readonly number[];
  retained?: boolean;
  payload: Schema;
  example: object;
}

const HEAD = { headerId: 7, cartID: 2, gatewayId: 'gw-2', sessionId: 'b6f0a1d2-5c1e-4a52-9d0b-7f1f1a3f6f10' };
const ID = '3f0e0c52-6a0a-4c4d-8f7b-2f8a5f1c9e11';
const BOTH = ['send', 'receive'] as const;
const cartHeader = { type: 'object', required: HEADER, properties: header };
const idle = { x: 0, y: 0, theta: 0 };

/** The topics below `{root}/{fleet}/{cartID}/`. */
export const TOPICS: Readonly<Record<TopicName, TopicDescription>> = {
  command: {
    summary: 'A command for a cart; never retained, and never queued for an offline cart.',
    actions: BOTH,
    qos: [0],
    payload: commandMessageSchema,
    example: {
      ...HEAD,
      gatewayId: 'gw-1',
      commandId: ID,
      seq: 12,
      kind: 'move',
      distanceID: 500,
      angleID: 0,
      distanceMm: 500,
      angleDeg: 0,
      maxSpeed: 300,
      ttlMs: 2000,
      onBusy: 'reject',
      basis: { sessionId: HEAD.sessionId, stateHeaderId: 41 },
      origin: { gatewayId: 'gw-1', source: 'http', principal: 'anna' },
    },
  },
  heartbeat: {
    summary:
      'Sent every 200 ms by a gateway with a site key to each cart that is executing one of its commands. A cart whose `limits.remoteHeartbeatMs` is set stops if it receives no heartbeats. `signature` is the base64url HMAC-SHA256, with the site key, of the JSON array `["cartwright heartbeat 1", topic, gatewayId, sessionId, counter]`. Heartbeats are never retained.',
    actions: BOTH,
    qos: [0],
    payload: heartbeatMessageSchema,
    example: {
      ...HEAD,
      gatewayId: 'gw-1',
      counter: 41,
      signature: 'uJY4jT0bq8cPs0vXk3hJzq4hS3cH4o6VbV1l0m8qT2c',
    },
  },
  instantActions: {
    summary: 'Stop, latching stop (`emergencyStop`) and reset. On `_all`, only stops are accepted.',
    actions: BOTH,
    qos: [0, 1],
    payload: instantActionsMessageSchema,
    example: {
      headerId: 3,
      gatewayId: 'gw-1',
      sessionId: HEAD.sessionId,
      origin: { gatewayId: 'gw-1', source: 'http', principal: 'anna' },
      actions: [
        {
          actionType: 'emergencyStop',
          actionId: ID,
          blockingType: 'NONE',
          actionParameters: [{ key: 'pressId', value: '7c1b0d5e-2f5c-4a66-9a0d-3f1b8f0e9a11' }],
        },
      ],
    },
  },
  ack: {
    summary:
      'Reports each new state of a command. If a command was interrupted, a later message reports the distance driven.',
    actions: BOTH,
    qos: [0],
    payload: ackMessageSchema,
    example: {
      ...HEAD,
      commandId: ID,
      state: 'RUNNING',
      actionStatus: 'RUNNING',
      latencyMs: 31,
      simulated: false,
    },
  },
  state: {
    summary: "The cart's state, published every second and on every change.",
    actions: BOTH,
    qos: [0],
    payload: stateMessageSchema,
    example: {
      ...HEAD,
      orderId: '',
      driving: false,
      paused: false,
      mobileRobotPosition: idle,
      safetyState: { activeEmergencyStop: 'NONE', fieldViolation: false },
    },
  },
  connection: {
    summary:
      "The cart's connection state. The broker publishes `CONNECTION_BROKEN` when it loses the connection to the gateway.",
    actions: BOTH,
    qos: [1],
    retained: true,
    payload: connectionMessageSchema,
    example: { ...HEAD, connectionState: 'ONLINE' },
  },
  factsheet: {
    summary: "The cart's limits and driver.",
    actions: ['send'],
    qos: [1],
    retained: true,
    payload: cartHeader,
    example: { ...HEAD, name: 'Cart 2', simulated: false },
  },
  visualization: {
    summary: "The cart's position and speed, published while the cart is moving.",
    actions: BOTH,
    qos: [0],
    payload: visualizationMessageSchema,
    example: { ...HEAD, mobileRobotPosition: idle, velocity: { vx: 0.3, omega: 0 } },
  },
  sightings: {
    summary: 'The beacons whose signals the cart receives.',
    actions: ['receive'],
    qos: [0],
    payload: sightingsMessageSchema,
    example: { sightings: [{ id: 'dock-north-1', rssi: -67 }] },
  },
  position: {
    summary: "The cart's position, computed from `sightings`.",
    actions: ['send'],
    qos: [0],
    payload: { allOf: [cartHeader, ref('PositionObservation')] },
    example: { ...HEAD, beacons: [], position: null, reason: 'too-few' },
  },
  alarm: {
    summary: "The gateway's alarms, each published once, if `alarms.mqtt` is on.",
    actions: ['send'],
    qos: [1],
    payload: { allOf: [cartHeader, alarmMessageSchema] },
    example: {
      ...HEAD,
      id: ID,
      kind: 'estop',
      at: 1_777_896_131_000,
      count: 1,
      text: 'Cart 2: stopped by Anna at 14:02:11 CEST',
      gateway: 'Cart 2',
      url: 'http://cartwright-3f2a.local:3000/?cart=2',
    },
  },
};

/** The topic `{root}/{fleet}/site/plan`, which the carts of a fleet share. */
export const SITE_PLAN_TOPIC: TopicDescription = {
  summary:
    'The site plan of the gateway that `site.planOwner` names, published after each change and whenever the gateway connects. `signature` is the base64url HMAC-SHA256, with the site key, of the JSON array `["cartwright site plan 1", topic, cartID, gatewayId, name, url, plan]`, with the members of `plan` in the order of the message and without white space. Messages of up to 256 kB are permitted.',
  actions: BOTH,
  qos: [1],
  retained: true,
  payload: sitePlanMessageSchema,
  example: {
    ...HEAD,
    name: 'Cart 2',
    url: 'http://cartwright-3f2a.local:3000',
    plan: {
      version: 12,
      planHash: 'q8Yc1l2tA0mVd9Wb',
      mmPerPixel: 25,
      needsReview: false,
      zones: [
        {
          id: 'stairs',
          kind: 'BLOCKED',
          name: 'Stairs',
          polygon: [
            [0, 0],
            [2000, 0],
            [2000, 1000],
          ],
        },
      ],
      places: [],
      routes: [],
    },
    signature: 'uJY4jT0bq8cPs0vXk3hJzq4hS3cH4o6VbV1l0m8qT2c',
  },
};
