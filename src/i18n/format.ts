import type { Text } from '../shared/messages/message.js';
import { decimal, locale, pageRoot } from './language.js';
import { t } from './shared-text.js';

/**
 * `quiet` = normal, with a tick; `unknown` = neither normal nor a fault; `live` = moving; `warn` = needs attention;
 * `stop` = stopped or failed.
 */
export type Severity = 'quiet' | 'unknown' | 'live' | 'warn' | 'stop';

export interface StatusText {
  tone: Severity;
  text: string;
}

const SEVERITIES: readonly Severity[] = ['quiet', 'unknown', 'live', 'warn', 'stop'];

/** Returns the most severe tone of a list; `quiet` for an empty list. */
export function mostSevere(list: readonly { tone: Severity }[]): Severity {
  return SEVERITIES[Math.max(0, ...list.map(({ tone }) => SEVERITIES.indexOf(tone)))] ?? 'quiet';
}

/** The status of a connection or device in the header of every page. */
export interface LightView extends StatusText {
  reason: string;
  simulated: boolean;
}

export interface LightData extends Omit<LightView, 'text' | 'reason'> {
  text: Text;
  reason: Text;
}

const STAMP = { dateStyle: 'short', timeStyle: 'medium' } as const;

/**
 * Formats a time as `04/05/2026, 14:02:11`. The formatter is created on first use and only once, because creating one
 * loads 5 MB of data and takes longer than formatting a time.
 */
let stampFormat: Intl.DateTimeFormat | undefined;

function stamp(): Intl.DateTimeFormat {
  stampFormat ??= formatIn(pageRoot?.dataset.timeZone);
  return stampFormat;
}

/**
 * @param timeZone the gateway's time zone, which the page specifies and all displayed times use. Undefined on the
 * server, which runs in that zone. A browser that does not know the zone shows times in its own zone.
 */
function formatIn(timeZone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...STAMP, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-GB', STAMP);
  }
}

function stampOf(iso: string | number): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? '' : stamp().format(at);
}

/** Returns the name of the time zone of all displayed times, such as `Europe/Amsterdam`. */
export function timeZone(): string {
  return stamp().resolvedOptions().timeZone;
}

/** Returns true if the local time of the browser's machine differs from the displayed times. */
export function isOtherZone(): boolean {
  const now = new Date();
  return new Intl.DateTimeFormat('en-GB', STAMP).format(now) !== stamp().format(now);
}

/** Formats `2026-05-04T12:02:11.200Z` as `14:02:11`; returns '' for an invalid time. */
export function timeOfDay(iso: string | number): string {
  return stampOf(iso).slice(-8);
}

export function isToday(iso: string | number): boolean {
  return stampOf(iso).slice(0, 10) === stampOf(Date.now()).slice(0, 10);
}

/** Like `timeOfDay`, preceded by the date unless the time is today: `3 May, 14:02:11`. */
export function timeWithDay(iso: string | number): string {
  return isToday(iso) ? timeOfDay(iso) : dayAndTime(iso);
}

/** Like `timeOfDay`, preceded by the date: `3 May, 14:02:11`. */
export function dayAndTime(iso: string | number): string {
  const time = timeOfDay(iso);
  if (time === '') return '';
  return `${localText(new Date(iso), { day: 'numeric', month: 'short' })}, ${time}`;
}

/** Formats millimetres as metres, with two decimal places below 10 m and one from 10 m. */
export function metres(mm: number): string {
  const m = mm / 1000;
  return `${decimal(m, Math.abs(m) < 10 ? 2 : 1)} m`;
}

export function shortest(value: number): string {
  return decimal(value, 1).replace(/[.,]0$/, '');
}

/** Formats the age of live data. Ages below 1 s have the same text, so that pages are redrawn less often. */
export function dataAgeText(ms: number): string {
  return ms < 1000 ? '< 1 s' : ageText(ms);
}

/** Formats an age, rounded so that the text changes rarely: `0.7 s`, `12 s`, `3 min`, `2 h`. */
export function ageText(ms: number): string {
  if (ms < 10_000) return `${decimal(ms / 1000, 1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : t('{0} h', Math.round(ms / 3_600_000));
}

/** Returns how many of `total` items to name: `max`, or all if only one item would remain unnamed. */
export function shownCount(total: number, max: number): number {
  return total <= max + 1 ? total : max;
}

/** Converts the first letter to lower case, but leaves words such as E-stop and BROKER unchanged. */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

export function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/**
 * Converts the first letter to upper case, but leaves field names such as distanceID and addresses unchanged.
 */
export function upperFirst(text: string): string {
  if (/^[a-z][a-z0-9.-]*(?:[A-Z]|:\S)/.test(text)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function momentText(time: string | number): string {
  return localText(new Date(time), { dateStyle: 'medium', timeStyle: 'medium' });
}

export function minuteText(wallMs: number): string {
  return localText(new Date(wallMs), { dateStyle: 'medium', timeStyle: 'short' });
}

export function dayText(wallMs: number): string {
  return localText(new Date(wallMs), { dateStyle: 'medium' });
}

function localText(at: Date, parts: Intl.DateTimeFormatOptions): string {
  return at.toLocaleString(locale(), { ...parts, timeZone: timeZone() });
}

/** Returns a size with its unit, for example `1.4 MB`. */
export function byteText(bytes: number): string {
  if (bytes > 0 && bytes < 500) return '< 1 kB';
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return bytes < 1_000_000_000
    ? `${decimal(bytes / 1_000_000, 1)} MB`
    : `${decimal(bytes / 1_000_000_000, 1)} GB`;
}
