import { actorLabel } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { PaymentStatus } from '../../shared/ports/payments.js';
import type { PaymentEvent, PaymentRow } from '../../shop/index.js';
import { moneyText } from './money-text.js';

export const statusLabels = (): Record<PaymentStatus, string> => ({
  pending: t('Not paid yet'),
  completed: t('Paid'),
  failed: t('Failed'),
});

type Values = readonly string[];
type TextOf = (...values: string[]) => string;

/** Stored texts, in the form in which the shop writes them, with their texts for pages. */
type Stored = readonly (readonly [RegExp, TextOf])[];

const AMOUNT = '([A-Z]{3}) (\\d+\\.\\d\\d)';

const isOnItsWay: TextOf = () => t('the money is on its way');
const isOnline: TextOf = () => t('the checkout is open');
const hasPaid: TextOf = () => t('the payment provider has received the money');

/**
 * The parts of an event's detail; see the writers in `../payments` and the providers in `adapters/payments`.
 */
const DETAILS: Stored = [
  [/^requested$/, () => t('created through the API')],
  [/^basket$/, () => t('created for a basket')],
  [/^open(?:\/\w+)?$/, isOnline],
  [/^(?:paid|complete\/paid)$/, hasPaid],
  [/^complete\/no_payment_required$/, () => t('nothing had to be paid')],
  [/^complete\/unpaid$/, () => t('the checkout is complete')],
  [/^expired(?:\/\w+)?$/, () => t('the checkout was cancelled or has expired')],
  [/^declined 1 times$/, () => t('card declined once')],
  [/^declined (\d+) times$/, (count = '') => t('card declined {0} times', count)],
  [/^payment intent succeeded$/, hasPaid],
  [/^payment intent canceled$/, () => t('the transfer of the money was cancelled')],
  [/^payment intent requires_payment_method$/, () => t('the transfer of the money failed')],
  [/^payment intent unreadable$/, () => t('the gateway may not read the transfer of the money')],
  [/^payment intent \w+$/, isOnItsWay],
  [/^refunded: [A-Z]{3} 0\.00$/, () => t('nothing is refunded')],
  [new RegExp(`^refunded: ${AMOUNT}$`), (...money) => t('{0} refunded', amount(money))],
  [/^disputed: [A-Z]{3} 0\.00$/, () => t('no open dispute')],
  [new RegExp(`^disputed: ${AMOUNT}$`), (...money) => t('{0} disputed', amount(money))],
  [/^lost in a dispute: [A-Z]{3} 0\.00$/, () => t('nothing is lost in a dispute')],
  [new RegExp(`^lost in a dispute: ${AMOUNT}$`), (...money) => t('{0} lost in a dispute', amount(money))],
  [
    new RegExp(`^underpaid: ${AMOUNT} ordered$`),
    (...money) => t('the payment does not cover the order: {0} ordered', amount(money)),
  ],
  [new RegExp(`^${AMOUNT} paid$`), (...money) => t('{0} paid', amount(money))],
  [new RegExp(`^${AMOUNT} paid after refunds$`), (...money) => t('{0} left after refunds', amount(money))],
  [
    /^mismatch: the order has lines from another customer(?: after refunds)?$/,
    () => t('the order contains games of another customer'),
  ],
  [
    /^mismatch: the order has lines in a currency other than ([A-Z]{3})(?: after refunds)?$/,
    (currency = '') => t('the order contains prices in a currency other than {0}', currency),
  ],
  [/^rejected: only a pending payment can be changed$/, () => t('rejected: the payment is already closed')],
  [/^the buyer chose pay$/, () => t('the buyer has paid')],
  [/^the buyer chose decline$/, () => t('the card was declined')],
  [/^the buyer chose cancel$/, () => t('the buyer has cancelled')],
  [/^checkout\.session\.(?:completed|async_payment_succeeded)$/, () => t('paid')],
  [/^checkout\.session\.async_payment_failed$/, () => t('the transfer of the money failed')],
  [/^checkout\.session\.expired$/, () => t('the checkout has expired')],
  [/^refund\.failed$/, () => t('a refund failed')],
  [/^(?:charge\.refunded|charge\.refund\.\w+|refund\.\w+)$/, () => t('a refund has changed')],
  [/^charge\.dispute\.created$/, () => t('the buyer disputes the payment')],
  [/^charge\.dispute\.closed$/, () => t('a dispute is closed')],
  [/^charge\.dispute\.\w+$/, () => t('a dispute has changed')],
];

const notStored: Stored = [[/^/, () => t('the gateway could not store the payment')]];

/** By code; the message only refines the text. */
const ERRORS: Readonly<Partial<Record<string, Stored>>> = {
  PROVIDER_AMOUNT: [
    [/too small$/, () => t('the amount is too small for the payment provider')],
    [/too large$/, () => t('the amount is too large for the payment provider')],
    [/^/, () => t('the payment provider does not accept this amount')],
  ],
  PROVIDER_REFUSED: [
    [/^Stripe rejected the API key$/, () => t("Stripe rejected the gateway's API key")],
    [/^Stripe rejected the card/, () => t('the card was declined')],
    [/^/, () => t('the payment provider rejected the request')],
  ],
  PROVIDER_FAILED: [[/^/, () => t('the payment provider has an internal error')]],
  PROVIDER_BUSY: [[/^/, () => t('too many payments are waiting for the payment provider')]],
  PROVIDER_UNCLEAR: [
    [/^Stripe cannot be reached$/, () => t('the payment provider cannot be reached')],
    [/^the payment provider did not respond within/, () => t('the payment provider did not respond in time')],
    [
      /^this payment was created with (\w+),/,
      (name = '') =>
        t('the payment was created with {0}, which this gateway no longer uses', providerText(name)),
    ],
    [
      /^the payment provider has no such payment$/,
      () => t('the payment provider does not know this payment'),
    ],
    [/^/, () => t('the payment provider sent an unexpected response')],
  ],
  PROVIDER_UNKNOWN: [[/^/, () => t('the payment provider does not know this payment')]],
  STORE_BUSY: notStored,
  STORE_FAILED: notStored,
  STORE_FULL: notStored,
  STORE_NEWER: notStored,
  DISK_FULL: notStored,
  WRITE_FAILED: notStored,
};

const sources = (): Record<PaymentEvent['source'], string> => ({
  local: t('Gateway'),
  provider: t('Payment provider'),
  webhook: t('Message from the payment provider'),
  manual: t('Set manually'),
  reconcile: t('Check with the payment provider'),
});

function amount([currency = '', value = '']: Values): string {
  return moneyText(Math.round(Number(value) * 100), currency);
}

function textIn(stored: Stored, text: string): string | undefined {
  for (const [form, textOf] of stored) {
    const values = form.exec(text)?.slice(1);
    if (values) return textOf(...values);
  }
  return undefined;
}

export function providerText(name: string): string {
  return name === 'stripe' ? 'Stripe' : t('the sandbox');
}

/** Describes a payment's latest error in the page's language; null if there is none. */
export function latestErrorText({
  errorCode,
  errorMessage,
}: Pick<PaymentRow, 'errorCode' | 'errorMessage'>): string | null {
  return errorMessage === null ? null : errorText(errorCode ?? '', errorMessage);
}

function errorText(code: string, message: string): string {
  const texts = Object.hasOwn(ERRORS, code) ? (ERRORS[code] ?? []) : [];
  return textIn(texts, message) ?? t("internal error: the gateway's log contains the details");
}

/**
 * Translates an event's detail. Parts written by another version, or for a new type of provider event, are
 * omitted.
 */
export function detailText(detail: string): string {
  // The event of an abandoned payment contains its error as `CODE: message`.
  const [, code, message = ''] = /^([A-Z]+(?:_[A-Z]+)*): (.*)$/s.exec(detail) ?? [];
  if (code !== undefined) return errorText(code, message);
  const whole = textIn(DETAILS, detail);
  if (whole !== undefined) return whole;
  return detail
    .split(', ')
    .flatMap((part) => textIn(DETAILS, part) ?? [])
    .join(', ');
}

/** Describes an event in one line: its source, the new status if it has changed, the details and the user. */
export function eventText({ source, fromStatus, toStatus, detail, actor }: PaymentEvent): string {
  const status = fromStatus === toStatus && source !== 'manual' ? '' : statusLabels()[toStatus];
  const details = detail === null ? '' : detailText(detail);
  const what = [status, details].filter((text) => text !== '').join(', ') || t('a change was reported');
  const event = `${sources()[source]}: ${what}`;
  return actor === null ? event : t('{0}, by {1}', event, actorLabel(actor));
}
