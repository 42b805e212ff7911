import { type Text, textOf } from '../../shared/messages/message.js';
import { faultMessage } from './messages.js';

/** The message for a known fault name; other texts are returned unchanged. */
export function faultText(fault: Text): Text {
  return typeof fault === 'string' && faultMessage.has(fault) ? faultMessage(fault) : fault;
}

/** Fault texts without duplicates: a cart repeats the controller's faults among its own. */
export function faultTexts(faults: Iterable<Text>): Text[] {
  const texts = [...faults].map(faultText);
  return [...new Map(texts.map((text) => [textOf(text), text])).values()];
}
