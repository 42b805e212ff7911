import { type Text, textOf } from '../../shared/messages/message.js';
import { faultMessage } from './messages.js';

/** Returns the message for a known fault name, or any other string unchanged. */
export function faultText(fault: Text): Text {
  return typeof fault === 'string' && faultMessage.has(fault) ? faultMessage(fault) : fault;
}

/** Removes duplicates, because a cart's faults include those of its controller. */
export function faultTexts(faults: Iterable<Text>): Text[] {
  const texts = [...faults].map(faultText);
  return [...new Map(texts.map((text) => [textOf(text), text])).values()];
}
