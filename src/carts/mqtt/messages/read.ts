import { messageOf } from '../../../shared/errors.js';
import type { BusMessage } from '../../../shared/ports/mqtt.js';
import { parseJson } from '../../../shared/validation/json.js';
import { type Checker, checkerFor } from '../../../shared/validation/validate.js';
import type { Reason } from '../../command/model.js';
import type { ReplyAddress } from '../publisher.js';
import {
  type AckMessage,
  ackMessageSchema,
  type CommandMessage,
  type ConnectionMessage,
  commandMessageSchema,
  connectionMessageSchema,
  type HeartbeatMessage,
  heartbeatMessageSchema,
  type InstantActionsMessage,
  instantActionsMessageSchema,
} from './schema.js';
import {
  type StateMessage,
  stateMessageSchema,
  type VisualizationMessage,
  visualizationMessageSchema,
} from './state-schema.js';

const MAX_BYTES = 8 * 1024;
const MAX_DEPTH = 6;

export const checkCommand: Checker<CommandMessage> = checkerFor(commandMessageSchema);
export const checkAck: Checker<AckMessage> = checkerFor(ackMessageSchema);
export const checkInstantActions: Checker<InstantActionsMessage> = checkerFor(instantActionsMessageSchema);
export const checkConnection: Checker<ConnectionMessage> = checkerFor(connectionMessageSchema);
export const checkHeartbeat: Checker<HeartbeatMessage> = checkerFor(heartbeatMessageSchema);
export const checkState: Checker<StateMessage> = checkerFor(stateMessageSchema);
export const checkVisualization: Checker<VisualizationMessage> = checkerFor(visualizationMessageSchema);

/** The parsed JSON of a rejected message, if any, is in `json`. */
type Read<T> = { value: T } | { refusal: Reason; json: unknown };

/** Rejects messages that exceed `maxBytes` (default: 8 kB) or 6 nesting levels, have prototype keys or violate the schema. */
export function readMessage<T>({ payload }: BusMessage, check: Checker<T>, maxBytes = MAX_BYTES): Read<T> {
  const refuse = (text: string, json?: unknown): Read<T> => ({
    refusal: { code: 'VALIDATION_FAILURE', text },
    json,
  });
  if (payload.length > maxBytes)
    return refuse(`the message has ${payload.length} bytes; the limit is ${maxBytes}`);
  let json: unknown;
  try {
    json = parseJson(payload.toString('utf8'), { maxBytes, maxDepth: MAX_DEPTH });
  } catch (thrown) {
    return refuse(`the message ${messageOf(thrown)}`);
  }
  const checked = check(json);
  if ('value' in checked) return checked;
  const [first] = checked.faults;
  return refuse(`${first?.path || 'the message'} ${first?.message ?? 'is not valid'}`, json);
}

export function replyAddressOf({ responseTopic, correlationData }: BusMessage): ReplyAddress | undefined {
  return responseTopic === undefined ? undefined : { topic: responseTopic, correlationData };
}

export function commandIdOf(json: unknown): string | undefined {
  const id = typeof json === 'object' && json !== null && 'commandId' in json ? json.commandId : undefined;
  return typeof id === 'string' && id.length > 0 && id.length <= 64 ? id : undefined;
}
