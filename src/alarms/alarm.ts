import { locale, withLanguage } from '../i18n/language.js';
import { translated } from '../i18n/messages.js';
import type { Text } from '../shared/messages/message.js';
import type { Alarm } from '../shared/ports/alarms.js';
import { alarmMessage } from './messages.js';

export const ALARM_KINDS = [
  'estop',
  'protective-stop',
  'controller-lost',
  'disk-low',
  'backup-failed',
  'superseded',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

export const CHANNELS = ['mail', 'webhook', 'mqtt'] as const;

/** A destination: a channel with an e-mail address, a URL or a topic. */
export interface Target {
  channel: (typeof CHANNELS)[number];
  target: string;
}

export interface AlarmEvent {
  kind: AlarmKind | 'test';
  cartID: number;
  /** Unix time in ms. */
  at: number;
  /** The principal or the cause; for `disk-low`, the free space. */
  detail: Text;
}

/** Events of one kind. `event` is the latest one; `since` is the Unix time in ms of the first one. */
export interface EventGroup {
  event: AlarmEvent;
  count: number;
  since: number;
}

export interface AlarmSource {
  /** The gateway's name, which is also its cart's name. */
  gateway: string;
  /** Base URL of the gateway's pages. */
  url: string;
  language: 'en' | 'nl';
}

export function alarmOf(
  id: string,
  { event, count, since }: EventGroup,
  { gateway, url, language }: AlarmSource,
): Alarm {
  const { kind, cartID, at, detail } = event;
  const page = kind === 'disk-low' || kind === 'backup-failed' ? '/system' : `/?cart=${cartID}`;
  const text = withLanguage(language, () => {
    const alarm = alarmMessage(kind, { cart: gateway, detail: asValue(detail), time: timeText(at) });
    const repeated = () => alarmMessage('repeated', { alarm, n: count, since: timeText(since) });
    return translated(count === 1 ? alarm : repeated());
  });
  return { id, kind, cartID, at, count, text, gateway, url: `${url}${page}` };
}

/** Puts a plain string, such as an error text, on one line; leaves other messages unchanged. */
function asValue(text: Text): Exclude<Text, string> | string {
  return typeof text === 'string' ? text.replace(/\s+/g, ' ') : text;
}

/** `14:02:11 CET`. */
function timeText(wallMs: number): string {
  const parts = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;
  return new Date(wallMs).toLocaleTimeString(locale(), parts);
}
