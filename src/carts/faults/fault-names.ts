import { type Text, textOf } from '../../shared/messages/message.js';
import { cartFaultMessage } from './messages.js';

/** Returns unknown fault names unchanged. */
export function cartFaultText(fault: Text): Text {
  return typeof fault === 'string' && cartFaultMessage.has(fault) ? cartFaultMessage(fault) : fault;
}

/** Returns the faults' texts without duplicates, because a cart's faults include its controller's faults. */
export function faultTexts(faults: Iterable<Text>): Text[] {
  const texts = [...faults].map(cartFaultText);
  return [...new Map(texts.map((text) => [textOf(text), text])).values()];
}
