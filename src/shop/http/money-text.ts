import { locale } from '../../i18n/language.js';

/** An amount with its currency, in the form of the language: `€19.99`, in Dutch `€ 19,99`. */
export function moneyText(minor: number, currency: string): string {
  return new Intl.NumberFormat(locale(), { style: 'currency', currency }).format(minor / 100);
}

/** A sentence of the records with its amounts (`EUR 29.50`) in the form of the language. */
export function withMoney(sentence: string): string {
  return sentence.replace(/\b([A-Z]{3}) (\d+\.\d\d)\b/g, (_all, currency: string, price: string) =>
    priceText(Number(price), currency),
  );
}

/** A price as the catalogue has it, such as 19.99. */
export function priceText(price: number, currency: string): string {
  return moneyText(Math.round(price * 100), currency);
}
