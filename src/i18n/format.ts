import type { Text } from '../shared/messages/message.js';
import { decimal, locale } from './language.js';
import { t } from './shared-text.js';

/** `quiet` = normal; `live` = moving; `warn` = needs attention; `stop` = stopped or failed. */
export type Severity = 'quiet' | 'live' | 'warn' | 'stop';

/** A short status with its severity. */
export interface StatusText {
  tone: Severity;
  text: string;
}

/** The status of a connection or device, as shown in the header of every page. */
export interface LightView extends StatusText {
  /** A sentence. */
  reason: string;
  simulated: boolean;
}

/** The same before translation. */
export interface LightData extends Omit<LightView, 'text' | 'reason'> {
  text: Text;
  reason: Text;
}

/** `2026-05-04T12:02:11.200Z` as `14:02:11`; empty for an invalid time. */
export function timeOfDay(iso: string | number): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
}

/** mm as metres: `1.20 m`; one decimal from 10 m. */
export function metres(mm: number): string {
  const m = mm / 1000;
  return `${decimal(m, Math.abs(m) < 10 ? 2 : 1)} m`;
}

/** A number with one decimal, or none if it is an integer. */
export function shortest(value: number): string {
  return decimal(value, 1).replace(/[.,]0$/, '');
}

/** An age, rounded so that it changes rarely: `0.7 s`, `12 s`, `3 min`, `2 h`. */
export function ageText(ms: number): string {
  if (ms < 10_000) return `${decimal(ms / 1000, 1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : t`${Math.round(ms / 3_600_000)} h`;
}

/**
 * The first letter in lower case, for a clause after a colon; words such as E-stop and BROKER stay unchanged.
 */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/**
 * The first letter in upper case, for the start of a sentence; field names such as distanceID stay unchanged.
 */
export function upperFirst(text: string): string {
  if (/^[a-z]+[A-Z]/.test(text)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A time in the gateway's time zone, with seconds. */
export function momentText(wallMs: number): string {
  return new Date(wallMs).toLocaleString(locale(), {
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
}

/** A time in the gateway's time zone, to the minute. */
export function minuteText(wallMs: number): string {
  return new Date(wallMs).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** Date in the gateway's time zone. */
export function dayText(wallMs: number): string {
  return new Date(wallMs).toLocaleDateString(locale(), { dateStyle: 'medium' });
}
