import { actorLabel } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { FactCode, FactValues, PaymentErrorReason, PaymentStatus } from '../../shared/ports/payments.js';
import type { PaymentEvent, PaymentRow } from '../../shop/index.js';
import { moneyText } from './money-text.js';

export const statusLabels = (): Record<PaymentStatus, string> => ({
  pending: t('Not paid yet'),
  completed: t('Paid'),
  failed: t('Failed'),
});

const hasPaid = (): string => t('the payment provider has received the money');

const FACTS: Record<FactCode, (values: FactValues) => string> = {
  requested: () => t('created through the API'),
  basket: () => t('created for a basket'),
  open: () => t('the checkout is open'),
  paid: hasPaid,
  complete: () => t('the checkout is complete'),
  'nothing-to-pay': () => t('nothing had to be paid'),
  expired: () => t('the checkout was cancelled or has expired'),
  declined: ([count = 0]) =>
    count === 1 ? t('card declined once') : t('card declined {0} times', String(count)),
  'transfer-pending': () => t('the money is on its way'),
  'transfer-succeeded': hasPaid,
  'transfer-cancelled': () => t('the money transfer was cancelled'),
  'transfer-failed': () => t('the money transfer failed'),
  'transfer-unreadable': () => t("the gateway is not permitted to read the transfer's status"),
  refunded: (money) => (isZero(money) ? t('no refunds') : t('{0} refunded', amount(money))),
  disputed: (money) => (isZero(money) ? t('no open dispute') : t('{0} disputed', amount(money))),
  lost: (money) =>
    isZero(money) ? t('no amount lost in disputes') : t('{0} lost in a dispute', amount(money)),
  underpaid: (money) => t('the payment does not cover the order total of {0}', amount(money)),
  collected: (money) => t('{0} paid', amount(money)),
  left: (money) => t('{0} left after refunds', amount(money)),
  'other-customer': () => t("the order contains another customer's games"),
  'other-currency': ([currency = '']) =>
    t('the order contains prices in a currency other than {0}', String(currency)),
  closed: () => t('rejected: the payment is already closed'),
  'buyer-paid': () => t('the buyer has paid'),
  'buyer-declined': () => t('the card was declined'),
  'buyer-cancelled': () => t('the buyer has cancelled'),
  'session-paid': () => t('paid'),
  'session-failed': () => t('the money transfer failed'),
  'session-expired': () => t('the checkout has expired'),
  'refund-failed': () => t('a refund failed'),
  'refund-changed': () => t('a refund has changed'),
  'dispute-opened': () => t('the buyer disputes the payment'),
  'dispute-changed': () => t('a dispute has changed'),
  'dispute-closed': () => t('a dispute was closed'),
  error: ([code, reason]) => errorText(String(code), String(reason)),
  other: () => '',
};

const notStored = (): string => t('the gateway could not store the payment');

/** Texts by error code. */
const ERRORS: Readonly<Partial<Record<string, () => string>>> = {
  PROVIDER_AMOUNT: () => t('the payment provider does not accept this amount'),
  PROVIDER_REFUSED: () => t('the payment provider rejected the request'),
  PROVIDER_FAILED: () => t('the payment provider has an internal error'),
  PROVIDER_BUSY: () => t('too many payments are waiting for the payment provider'),
  PROVIDER_UNCLEAR: () => t('the payment provider sent an unexpected response'),
  PROVIDER_UNKNOWN: () => t('the payment provider does not know this payment'),
  STORE_BUSY: notStored,
  STORE_FAILED: notStored,
  STORE_FULL: notStored,
  STORE_NEWER: notStored,
  DISK_FULL: notStored,
  WRITE_FAILED: notStored,
};

/** Texts by reason, which are more specific than those in `ERRORS`. */
const REASONS: Record<PaymentErrorReason, (provider: string) => string> = {
  'amount-too-small': () => t('the amount is too small for the payment provider'),
  'amount-too-large': () => t('the amount is too large for the payment provider'),
  'key-rejected': () => t("Stripe rejected the gateway's API key"),
  'card-declined': () => t('the card was declined'),
  unreachable: () => t('the payment provider cannot be reached'),
  'no-response': () => t('the payment provider did not respond in time'),
  'other-provider': (provider) =>
    t('the payment was created with {0}, which this gateway no longer uses', providerText(provider)),
  'no-such-payment': () => t('the payment provider does not know this payment'),
};

const sources = (): Record<PaymentEvent['source'], string> => ({
  local: t('Gateway'),
  provider: t('Payment provider'),
  webhook: t('Message from the payment provider'),
  manual: t('Set manually'),
  reconcile: t('Check with the payment provider'),
});

function amount([minor = 0, currency = '']: FactValues): string {
  return moneyText(Number(minor), String(currency));
}

function isZero([minor]: FactValues): boolean {
  return minor === 0;
}

export function providerText(name: string): string {
  return name === 'stripe' ? 'Stripe' : t('the sandbox');
}

/** Describes a payment's latest error in the page's language; null if there is none. */
export function latestErrorText({
  errorCode,
  errorReason,
  errorMessage,
  provider,
}: Pick<PaymentRow, 'errorCode' | 'errorReason' | 'errorMessage' | 'provider'>): string | null {
  return errorMessage === null ? null : errorText(errorCode ?? '', errorReason ?? '', provider);
}

/** Returns the text of an error; a later version may have stored a code or a reason that this version lacks. */
function errorText(code: string, reason: string, provider = ''): string {
  if (Object.hasOwn(REASONS, reason)) return REASONS[reason as PaymentErrorReason](provider);
  const known = Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined;
  return known?.() ?? t("internal error: the gateway's log contains the details");
}

/** Returns an empty string for a fact of a later version. */
function factText({ code, values = [] }: PaymentEvent['facts'][number]): string {
  return Object.hasOwn(FACTS, code) ? FACTS[code](values) : '';
}

/** Describes an event in one line: its source, the new status if it has changed, the details and the user. */
export function eventText({ source, fromStatus, toStatus, facts, actor }: PaymentEvent): string {
  const status = fromStatus === toStatus && source !== 'manual' ? '' : statusLabels()[toStatus];
  const what =
    [status, ...facts.map(factText)].filter((text) => text !== '').join(', ') || t('a change was reported');
  const event = `${sources()[source]}: ${what}`;
  return actor === null ? event : t('{0}, by {1}', event, actorLabel(actor));
}
