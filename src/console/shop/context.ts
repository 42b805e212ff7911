import type { Notice } from '../../http/pages.js';
import { momentText, upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { GatewayError } from '../../shared/errors.js';
import type { SandboxView } from '../../shared/ports/payments.js';
import {
  type Basket,
  type Game,
  type OrderRow,
  type PaymentEvent,
  type PaymentRow,
  payableUrl,
  type Settlement,
  type ShopPrincipal,
  type TitleCount,
} from '../../shop/index.js';
import { noticeText } from '../layout/context.js';
import { type LayoutData, layoutContext } from '../layout/layout-context.js';
import { moneyText } from './money-text.js';
import { eventText, latestErrorText, providerText, statusLabels } from './payment-texts.js';

export interface ShopPage {
  role: ShopPrincipal['role'];
  games: readonly Game[];
  payments: readonly PaymentRow[];
  lines: readonly OrderRow[];
  /** Undefined for a caller without a user account. */
  basket: Basket | undefined;
  isSandbox: boolean;
  /** Why payments are disabled; undefined if they are enabled. */
  disabledReason: GatewayError | undefined;
  /** Idempotency key of the checkout form. */
  nonce: string;
  /** The payment whose checkout page has sent the buyer back to the shop. */
  returned?: PaymentRow | undefined;
  notice?: Notice | undefined;
}

export function shopContext(layout: LayoutData, page: ShopPage): object {
  const { role, lines, basket, isSandbox, disabledReason, nonce, returned, notice } = page;
  const games = page.games.map(({ id, title, price, currency }) => ({
    id,
    title,
    price: priceText(price, currency),
  }));
  const orders = page.payments.map((payment) =>
    orderLine(
      payment,
      lines.filter(({ orderId }) => orderId === payment.orderId),
    ),
  );
  return {
    ...layoutContext(layout, { page: 'shop' }),
    isOperator: role !== 'customer',
    mayBuy: basket !== undefined,
    isSandbox,
    notice: notice ? noticeText(notice) : returned ? orderNotice(returned) : null,
    games,
    hasGames: games.length > 0,
    orders,
    hasOrders: orders.length > 0,
    disabled: disabledNotice(disabledReason, role === 'admin'),
    basket: basket === undefined ? null : basketContext(basket),
    nonce,
  };
}

function disabledNotice(reason: GatewayError | undefined, isAdmin: boolean): object | null {
  if (!reason) return null;
  const { hint } = reason.info;
  return {
    text: upperFirst(translated(reason.text)),
    hint: hint === undefined ? '' : translated(hint),
    systemHref: isAdmin && reason.code === 'PAYMENTS_OFF' ? '/system#backups' : '',
  };
}

const isShort = ({ settlement }: { settlement: Settlement | null }): boolean =>
  settlement === 'underpaid' || settlement === 'mismatch';

/** Returns a payment's status, or why a completed payment does not cover its order. */
function statusOf(payment: PaymentRow): { status: string; tone: 'quiet' | 'warn' } {
  const { status, intentState, settlement, refundedMinor, disputedMinor, lostMinor } = payment;
  const paidMinor = payment.paidMinor ?? payment.amountMinor;
  if (lostMinor > 0) return { status: t('Dispute lost'), tone: 'warn' };
  if (disputedMinor > 0) return { status: t('Disputed'), tone: 'warn' };
  if (refundedMinor >= paidMinor) return { status: t('Refunded'), tone: 'quiet' };
  if (refundedMinor > 0) return { status: t('Partly refunded'), tone: 'quiet' };
  if (settlement === 'underpaid') return { status: t('Underpaid'), tone: 'warn' };
  if (settlement === 'mismatch') return { status: t('Does not match the order'), tone: 'warn' };
  if (isProcessing(payment)) return { status: t('Being processed'), tone: 'quiet' };
  if (status === 'pending' && intentState === 'creating')
    return { status: t('Being created'), tone: 'quiet' };
  if (status === 'failed' && intentState === 'abandoned') return { status: t('Not created'), tone: 'warn' };
  return { status: statusLabels()[status], tone: status === 'failed' ? 'warn' : 'quiet' };
}

/** Lists refunds and disputes with their amounts; empty if there are none. */
function returnedText({ refundedMinor, disputedMinor, lostMinor, ...payment }: PaymentRow): string {
  const money = (minor: number): string => moneyText(minor, payment.paidCurrency ?? payment.currency);
  return [
    refundedMinor > 0 ? t('{0} refunded', money(refundedMinor)) : '',
    disputedMinor > 0 ? t('{0} disputed', money(disputedMinor)) : '',
    lostMinor > 0 ? t('{0} lost in a dispute', money(lostMinor)) : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

const isProcessing = ({ status, delayed }: PaymentRow): boolean =>
  status === 'pending' && delayed === 'processing';

/** Returns where an operator can refund a payment; empty if nothing is left to refund. */
function refundOf(payment: PaymentRow): { refundText: string; refundHref: string } {
  const { provider, status, refundedMinor, lostMinor, amountMinor, paidMinor } = payment;
  const isRefundable = status === 'completed' && refundedMinor + lostMinor < (paidMinor ?? amountMinor);
  if (!isRefundable) return { refundText: '', refundHref: '' };
  if (provider !== 'stripe') {
    return { refundText: t('Sandbox payments cannot be refunded: no money was charged.'), refundHref: '' };
  }
  return {
    refundText: t("To refund this payment, open it on Stripe's website. The refund then appears here."),
    refundHref: 'https://dashboard.stripe.com/payments',
  };
}

export function orderLine(payment: PaymentRow, lines: readonly OrderRow[]): object {
  const { orderId, transactionId, amountMinor, currency, status, createdAt } = payment;
  const notCovered = status === 'completed' ? titlesOf(lines.filter(({ paidAt }) => paidAt === null)) : '';
  return {
    orderId,
    when: momentText(createdAt),
    titles: titlesOf(lines) || t('No games'),
    notCovered: notCovered && t('Not covered by the payment: {0}', notCovered),
    amount: moneyText(amountMinor, currency),
    ...statusOf(payment),
    returned: returnedText(payment),
    payHref: payableUrl(payment) === null ? null : `/payments/${transactionId}/checkout`,
  };
}

function titlesOf(lines: readonly OrderRow[]): string {
  return lines.map(({ title, quantity }) => (quantity > 1 ? `${quantity} × ${title}` : title)).join(', ');
}

function basketContext(basket: Basket): object {
  const items = basket.items.map(({ game_id, title, quantity, price, currency, active }) => ({
    gameId: game_id,
    title,
    quantity,
    isRetired: !active,
    price: priceText(price, currency),
    sum: moneyText(Math.round(price * 100) * quantity, currency),
  }));
  const total = moneyText(Math.round(basket.total * 100), basket.currency);
  return { items, hasItems: items.length > 0, total };
}

export function orderNotice(payment: PaymentRow): { ok: boolean; title: string; message: string } {
  const amount = moneyText(payment.amountMinor, payment.currency);
  const returned = returnedText(payment);
  if (returned) {
    return {
      ok: true,
      title: statusOf(payment).status,
      message: t('{0} (order {1}).', returned, payment.orderId),
    };
  }
  if (isShort(payment)) {
    const message = t('The payment does not cover order {0}. Contact an operator.', payment.orderId);
    return { ok: false, title: statusOf(payment).status, message };
  }
  if (isProcessing(payment)) {
    const message = t('The payment of {0} can take several days. You do not need to pay again.', amount);
    return { ok: true, title: t('Being processed'), message };
  }
  if (payment.intentState !== 'created' && payment.status !== 'completed')
    return uncreatedNotice(payment, amount);
  switch (payment.status) {
    case 'completed':
      return { ok: true, title: t('Paid'), message: t('{0} for order {1}.', amount, payment.orderId) };
    case 'failed':
      return {
        ok: false,
        title: t('Not paid'),
        message: t(
          'The payment of {0} failed, was cancelled or has expired. Place a new order to try again.',
          amount,
        ),
      };
    default:
      return {
        ok: true,
        title: t('Not paid yet'),
        message: t('{0} has not been paid yet. You can pay under My orders.', amount),
      };
  }
}

/** Returns the notice for a payment that the provider has not created yet. */
function uncreatedNotice({ status }: PaymentRow, amount: string): ReturnType<typeof orderNotice> {
  if (status === 'failed') {
    const message = t('The payment of {0} could not be created. Place a new order to try again.', amount);
    return { ok: false, title: t('Not created'), message };
  }
  const message = t(
    'The payment of {0} is being created. You will soon be able to pay under My orders.',
    amount,
  );
  return { ok: true, title: t('Being created'), message };
}

interface RecordParts {
  /** The customer's name; empty if an API key created the payment. */
  customer: string;
  lines: readonly OrderRow[];
  events: readonly PaymentEvent[];
}

export function recordLine(payment: PaymentRow, { customer, lines, events }: RecordParts): object {
  const { transactionId, orderId, amountMinor, currency, provider } = payment;
  return {
    transactionId,
    orderId,
    provider: providerText(provider),
    user: customer || '–',
    lastError: latestErrorText(payment),
    bought: [customer, titlesOf(lines)].filter(Boolean).join(': '),
    when: momentText(payment.createdAt),
    amount: moneyText(amountMinor, currency),
    ...statusOf(payment),
    returned: returnedText(payment),
    ...refundOf(payment),
    isManual: payment.statusSource === 'manual',
    events: events.map((event) => ({
      text: eventText(event),
      conflict: event.conflict === 1,
      when: momentText(event.at),
    })),
  };
}

export function orderRecord({ orderId, title, quantity, ...line }: OrderRow, user: string): object {
  const { paidAt, priceMinor, currency } = line;
  const price = priceMinor === null || currency === null ? '–' : moneyText(priceMinor * quantity, currency);
  const paid = paidAt !== null ? t('yes') : isShort(line) ? t('not covered') : t('no');
  return { orderId, user, title, quantity, price, paid };
}

/** Returns the data of a bar chart. Bar widths are percentages of the longest bar's width. */
export function chart(stats: readonly TitleCount[]): object {
  const maxCount = Math.max(1, ...stats.map(({ orderCount }) => orderCount));
  const bars = stats.map(({ title, orderCount }) => ({
    title,
    orderCount,
    width: Math.round((orderCount / maxCount) * 100),
  }));
  return { bars, hasBars: bars.length > 0 };
}

export function checkoutContext(layout: LayoutData, view: SandboxView): object {
  const { ref, orderId, returnUrl, state, declines } = view;
  return {
    ...layoutContext(layout, { page: 'shop', title: t('Pay') }),
    checkout: {
      ref,
      orderId,
      isOpen: state === 'open',
      wasDeclined: declines > 0,
      back: localPath(returnUrl),
      amount: moneyText(view.amountMinor, view.currency),
      outcome: state === 'paid' ? t('Paid') : t('Cancelled or expired'),
    },
  };
}

/** Returns a URL's path and query, so that the browser stays on the current host name; `/shop` if invalid. */
export function localPath(address: string): string {
  if (!URL.canParse(address, 'http://localhost')) return '/shop';
  const { pathname, search } = new URL(address, 'http://localhost');
  return `${pathname}${search}`;
}

function priceText(price: number, currency: string): string {
  return moneyText(Math.round(price * 100), currency);
}
