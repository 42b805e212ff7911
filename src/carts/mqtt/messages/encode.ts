import { cutText } from '../../../shared/cut-text.js';
import { Message, textOf } from '../../../shared/messages/message.js';
import {
  ackMessageSchema,
  commandMessageSchema,
  connectionMessageSchema,
  heartbeatMessageSchema,
  instantActionsMessageSchema,
} from './schema.js';
import { stateMessageSchema, visualizationMessageSchema } from './state-schema.js';
import type { TopicName } from './topics.js';

const SCHEMAS: Partial<Record<TopicName, Schema>> = {
  command: commandMessageSchema,
  heartbeat: heartbeatMessageSchema,
  instantActions: instantActionsMessageSchema,
  ack: ackMessageSchema,
  state: stateMessageSchema,
  connection: connectionMessageSchema,
  visualization: visualizationMessageSchema,
};

/** The parts of a JSON Schema that limit the length of texts. */
interface Schema {
  type?: unknown;
  maxLength?: number;
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
}

/**
 * Returns the payload of a message for other gateways. Cuts texts that are longer than the receivers' schema permits;
 * otherwise, the receivers would reject the whole message.
 */
export function encodeMessage(name: TopicName, message: object): string {
  const schema = SCHEMAS[name];
  return JSON.stringify(schema ? fitted(message, schema) : message);
}

function fitted(value: unknown, { maxLength, properties, items }: Schema): unknown {
  if (maxLength !== undefined && (typeof value === 'string' || value instanceof Message)) {
    return cutText(textOf(value), maxLength);
  }
  if (items && Array.isArray(value)) return value.map((item) => fitted(item, items));
  if (!properties || typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(properties)) {
    if (name in out) out[name] = fitted(out[name], member);
  }
  return out;
}
