import { Message, type MessageData } from './message.js';

/** Code of a message that is a time. The pages format it for their language. */
export const MOMENT_CODE = 'moment';

type Precision = 'day' | 'minute' | 'second';

/** Length of each precision's part of an ISO time, such as `2038-01-19T03:14:07.000Z`. */
const ISO_LENGTH: Record<Precision, number> = { day: 10, minute: 16, second: 19 };

/** Returns a time as a message parameter. The English text is `2038-01-19` or `2038-01-19 03:14 UTC`. */
export function momentMessage(wallMs: number, precision: Precision): Message {
  const iso = new Date(wallMs).toISOString().slice(0, ISO_LENGTH[precision]).replace('T', ' ');
  const text = precision === 'day' ? iso : `${iso} UTC`;
  return new Message({ code: MOMENT_CODE, params: { wallMs, precision }, text });
}

/** Formats a message from `momentMessage` for a locale, in UTC. */
export function formattedMoment({ params, text }: MessageData, locale: string): string {
  const { wallMs, precision } = params;
  if (typeof wallMs !== 'number') return text;
  const at = new Date(wallMs);
  if (precision === 'day') return at.toLocaleDateString(locale, { timeZone: 'UTC', dateStyle: 'medium' });
  const timeStyle = precision === 'minute' ? 'short' : 'medium';
  return `${at.toLocaleString(locale, { timeZone: 'UTC', dateStyle: 'medium', timeStyle })} UTC`;
}
