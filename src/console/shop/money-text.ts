import { locale } from '../../i18n/language.js';

/** Formats an amount with its currency for the current language: `€ 19.99`, or `€ 19,99` in Dutch. */
export function moneyText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(locale(), { style: 'currency', currency });
  const parts = format.formatToParts(minor / 100);
  const number = parts.filter(({ type }) => type !== 'currency' && type !== 'literal');
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  return `${symbol}\u00a0${number.map(({ value }) => value).join('')}`;
}
