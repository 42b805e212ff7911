import { type Fault, GatewayError, messageOf } from '../../shared/errors.js';
import { checkJsonShape, isJsonObject, JSON_MAX_BYTES } from '../../shared/validation/json.js';
import { faultSentence } from '../../shared/validation/messages.js';
import { settingsMessage } from '../messages.js';
import { normaliseLegacy } from '../schema/legacy.js';
import { type JsonObject, type ReadDocument, readDocument } from './document.js';
import { mergeDocument } from './merge.js';

const NAMED_FAULTS = 3;

/** The largest valid document has 4,700 values; validating 80,000 takes 300 ms and delays heartbeats. */
const MAX_VALUES = 5000;

/** Throws `INVALID_INPUT` with all errors in the patch. */
export function patchReading(old: ReadDocument, patch: unknown): ReadDocument {
  const { document, faults } = normaliseLegacy(checkBody(patch));
  const next = readDocument(withDefaultName(mergeDocument(old.document, document), old), old.document);
  faults.push(...next.unknown);
  for (const [section, found] of next.invalid) {
    if (Object.hasOwn(document, section) || !old.invalid.has(section)) faults.push(...found);
  }
  if (faults.length > 0) throw invalidInput(faults);
  return next;
}

/** A gateway that still has the default name for its cart number is given the default name for the new number. */
function withDefaultName(document: JsonObject, { settings }: ReadDocument): JsonObject {
  const { gateway } = document;
  const { cartID, name } = settings.gateway;
  if (!isJsonObject(gateway) || !Number.isInteger(gateway.cartID) || gateway.cartID === cartID)
    return document;
  if (name !== `Cart ${cartID}` || gateway.name !== name) return document;
  return { ...document, gateway: { ...gateway, name: `Cart ${gateway.cartID}` } };
}

function checkBody(patch: unknown): JsonObject {
  if (!isJsonObject(patch)) throw invalidInput([{ path: '', message: settingsMessage('json-object') }]);
  try {
    checkJsonShape(patch);
  } catch (error) {
    throw invalidInput([{ path: '', message: messageOf(error) }]);
  }
  if (JSON.stringify(patch).length > JSON_MAX_BYTES) {
    throw invalidInput([{ path: '', message: settingsMessage('max-kb', { kb: JSON_MAX_BYTES / 1024 }) }]);
  }
  if (countValues(patch) > MAX_VALUES) {
    throw invalidInput([{ path: '', message: settingsMessage('max-values', { n: MAX_VALUES }) }]);
  }
  return patch;
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}

/** @param faults at least one; the message names the first three. */
export function invalidInput(faults: Fault[]): GatewayError {
  const reason = faultSentence(faults.slice(0, NAMED_FAULTS));
  const more = faults.length - NAMED_FAULTS;
  const message =
    more > 0 ? settingsMessage('not-valid-more', { reason, more }) : settingsMessage('not-valid', { reason });
  return new GatewayError('INVALID_INPUT', message, { faults });
}
