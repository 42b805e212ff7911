import { type Text, textOf } from '../../shared/messages/message.js';
import { faultMessage } from './messages.js';

/** A fault as a text: the name of a fault as its message, anything else unchanged. */
export function faultText(fault: Text): Text {
  return typeof fault === 'string' && faultMessage.has(fault) ? faultMessage(fault) : fault;
}

/** The faults as texts, each once: a cart lists what its controller reports among its own faults as well. */
export function faultTexts(faults: Iterable<Text>): Text[] {
  const texts = [...faults].map(faultText);
  return [...new Map(texts.map((text) => [textOf(text), text])).values()];
}
