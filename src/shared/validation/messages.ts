import type { ErrorObject } from 'ajv';
import type { Fault } from '../errors.js';
import { declareMessages, type Message, type Text } from '../messages/message.js';
import { sharedMessage, unitText } from '../messages/messages.js';

/** Errors by JSON Schema keyword. In a message, the error follows the field's name. */
export const validationMessage = declareMessages('validation', {
  field: '{field} {fault}',
  invalid: 'is not valid',
  additionalProperties: 'is not a known field',
  anyOf: 'is not one of the permitted values',
  const: 'must be {value}',
  empty: 'must not be empty',
  enum: 'must be one of {values}',
  maxItems: 'must have at most {limit} entries',
  'maxItems-1': 'must have at most 1 entry',
  maxLength: 'must have at most {limit} characters',
  'maxLength-1': 'must have at most 1 character',
  maxProperties: 'must have at most {limit} fields',
  'maxProperties-1': 'must have at most 1 field',
  maximum: 'must be at most {limit}',
  'maximum-unit': 'must be at most {limit} {unit}',
  minItems: 'must have at least {limit} entries',
  minLength: 'must have at least {limit} characters',
  minProperties: 'must have at least {limit} fields',
  minimum: 'must be at least {limit}',
  'minimum-unit': 'must be at least {limit} {unit}',
  multipleOf: 'must be a multiple of {divisor}',
  'multipleOf-unit': 'must be a multiple of {divisor} {unit}',
  pattern: 'contains characters that are not allowed',
  propertyNames: 'contains a name that is not allowed: {name}',
  required: 'is missing',
  type: 'must be {type}',
  'type-or': 'must be {type} or {other}',
  uniqueItems: 'must not contain duplicate entries',
  'type-integer': 'a whole number',
  'type-number': 'a number',
  'type-string': 'text',
  'type-boolean': 'true or false',
  'type-array': 'a list',
  'type-object': 'an object',
  'type-null': 'null',
});

const TYPES = ['integer', 'number', 'string', 'boolean', 'array', 'object', 'null'] as const;

interface Annotated {
  unit?: string;
  fault?: string;
}

/** Keyed by English text, because a JSON schema cannot contain a message object. */
const annotated = new Map<string, Message>();

/** Returns a schema annotation that replaces the default message of `pattern` or `anyOf`. */
export function faultAnnotation(message: Message): { fault: string } {
  annotated.set(message.text, message);
  return { fault: message.text };
}

/** Formats faults as `width is missing; height must be at least 1`. */
export function faultSentence(faults: readonly Fault[]): Message {
  const [first = validationMessage('invalid'), ...others] = faults.map(({ path, message }) =>
    validationMessage('field', { field: path, fault: message }),
  );
  return others.reduce((sentence, fault) => sharedMessage('join', { first: sentence, second: fault }), first);
}

export function faultMessage({ keyword, params, parentSchema }: ErrorObject): Text {
  const { unit, fault } = (parentSchema ?? {}) as Annotated;
  const limit = Number(params.limit);
  switch (keyword) {
    case 'anyOf':
    case 'pattern':
      return fault === undefined ? validationMessage(keyword) : (annotated.get(fault) ?? fault);
    case 'additionalProperties':
    case 'required':
    case 'uniqueItems':
      return validationMessage(keyword);
    case 'const':
      return validationMessage('const', { value: String(params.allowedValue) });
    case 'enum':
      return validationMessage('enum', { values: params.allowedValues.join(', ') });
    case 'maxItems':
    case 'maxLength':
    case 'maxProperties':
      return limit === 1 ? validationMessage(`${keyword}-1`) : validationMessage(keyword, { limit });
    case 'minItems':
    case 'minLength':
    case 'minProperties':
      return limit === 1 ? validationMessage('empty') : validationMessage(keyword, { limit });
    case 'maximum':
    case 'minimum':
      return unit
        ? validationMessage(`${keyword}-unit`, { limit, unit: unitText(unit) })
        : validationMessage(keyword, { limit });
    case 'multipleOf': {
      const divisor = Number(params.multipleOf);
      return unit
        ? validationMessage('multipleOf-unit', { divisor, unit: unitText(unit) })
        : validationMessage(keyword, { divisor });
    }
    case 'propertyNames':
      return validationMessage('propertyNames', { name: String(params.propertyName) });
    case 'type':
      return typeMessage([params.type].flat());
    default:
      return validationMessage('invalid');
  }
}

function typeMessage([first, second]: unknown[]): Message {
  const type = typeName(first);
  return second === undefined
    ? validationMessage('type', { type })
    : validationMessage('type-or', { type, other: typeName(second) });
}

function typeName(type: unknown): Message | string {
  const known = TYPES.find((name) => name === type);
  return known ? validationMessage(`type-${known}`) : String(type);
}
