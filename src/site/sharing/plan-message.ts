import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { FromSchema } from 'json-schema-to-ts';
import { HEADER, header, readMessage } from '../../carts/index.js';
import { textOf } from '../../shared/messages/message.js';
import type { BusMessage } from '../../shared/ports/mqtt.js';
import { type Checker, checkerFor } from '../../shared/validation/validate.js';
import { placeSchema, zoneSchema } from '../plan-data/schema.js';
import { routeSchema } from '../routes/schema.js';

/** Other topics permit messages of up to 8 kB. */
export const MAX_PLAN_BYTES = 256 * 1024;

/** Zones and places as in `PUT /zones` and `PUT /places`. */
export const sitePlanMessageSchema = {
  type: 'object',
  required: [...HEADER, 'name', 'url', 'plan', 'signature'],
  properties: {
    ...header,
    name: { type: 'string', minLength: 1, maxLength: 64 },
    url: { type: 'string', maxLength: 255 },
    plan: {
      type: 'object',
      additionalProperties: false,
      required: ['version', 'planHash', 'mmPerPixel', 'needsReview', 'zones', 'places', 'routes'],
      properties: {
        /** Increases with each change. */
        version: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        planHash: { type: 'string', minLength: 1, maxLength: 64 },
        mmPerPixel: { type: 'number', exclusiveMinimum: 0 },
        /** True if the owner's floor plan has changed and a person has not confirmed the plan yet. */
        needsReview: { type: 'boolean' },
        zones: { type: 'array', items: zoneSchema },
        places: { type: 'array', items: placeSchema },
        routes: { type: 'array', items: routeSchema },
      },
    },
    /** HMAC-SHA256, base64url. */
    signature: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
  },
} as const;

export type SitePlanMessage = FromSchema<typeof sitePlanMessageSchema>;

const checkMessage: Checker<SitePlanMessage> = checkerFor(sitePlanMessageSchema);

type Signed = Pick<SitePlanMessage, 'cartID' | 'gatewayId' | 'name' | 'url' | 'plan'>;

/**
 * Returns the HMAC-SHA256 of the topic, the publisher and the plan in base64url. The members of the plan are signed in
 * the order in which they are in the message.
 */
export function signPlan(
  key: KeyObject,
  topic: string,
  { cartID, gatewayId, name, url, plan }: Signed,
): string {
  const signed = JSON.stringify(['cartwright site plan 1', topic, cartID, gatewayId, name, url, plan]);
  return createHmac('sha256', key).update(signed).digest('base64url');
}

/** Returns a message with a valid signature, or why the message was rejected. */
export function readPlan(
  message: BusMessage,
  key: KeyObject,
): { value: SitePlanMessage } | { refusal: string } {
  const read = readMessage(message, checkMessage, MAX_PLAN_BYTES);
  if ('refusal' in read) return { refusal: textOf(read.refusal.text) };
  const expected = Buffer.from(signPlan(key, message.topic, read.value));
  if (timingSafeEqual(Buffer.from(read.value.signature), expected)) return read;
  return { refusal: 'the signature of the site plan is invalid: the site keys differ' };
}
