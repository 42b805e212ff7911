import type { Request, Response } from 'express';
import { failureOnPage } from '../../http/errors.js';
import { declarePage, type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { conflictError, mergeEdits, openedIn, openedTextIn } from '../../http/server/form-edits.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { Fault } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { isJsonObject } from '../../shared/validation/json.js';
import {
  type Game,
  type OrderRow,
  type PaymentEvent,
  type PaymentRow,
  requireGameId,
  type Shop,
  type ShopRoutesDeps,
  shopMessage,
  shopPagesApi,
  type TitleCount,
} from '../../shop/index.js';
import { noticeText } from '../layout/context.js';
import { type LayoutData, layoutContext } from '../layout/layout-context.js';
import { chart, orderRecord, recordLine } from './context.js';

const MAX_RECORDS = 50;
/** Titles shown per payment. */
const MAX_LINES = 20;

interface Retry {
  gameId: number;
  entered: GameForm;
  /** The form's initial values (JSON). */
  opened: string;
  faults: readonly Fault[];
}

interface GameForm {
  title: string;
  price: string;
  active: boolean;
}

export interface RecordsPage {
  /** The newest payments, each with the first lines of its order and with its events. */
  payments: readonly { payment: PaymentRow; lines: readonly OrderRow[]; events: readonly PaymentEvent[] }[];
  lines: readonly OrderRow[];
  /** Names of the customers, by ID; undefined for deleted users. */
  usernames: ReadonlyMap<number, string | undefined>;
  games: readonly Game[];
  stats: readonly TitleCount[];
  notice?: Notice | undefined;
  retry?: Retry;
}

export const recordsPage = declarePage<RecordsPage>('Shop records');

export function recordsRoutes({ shop }: Pick<ShopRoutesDeps, 'shop'>): DeclaredRouter {
  const router = routerOf(shopPagesApi);
  const send = (req: Request, res: Response, shown: Pick<RecordsPage, 'notice' | 'retry'>): Promise<void> =>
    sendPage(req, res, recordsPage, { ...recordsOf(shop), ...shown });

  router.on('GET /shop/admin', (req, res) => {
    const isDone = req.query.done === 'game-saved';
    return send(req, res, { notice: isDone ? { ok: true, title: shopMessage('game-saved') } : undefined });
  });
  router.on('POST /shop/admin/games/:gameId', async (req, res) => {
    const gameId = requireGameId(req.params.gameId, 'gameId');
    const { catalogue } = shop;
    const opened = openedIn(req.body);
    let entered = gameFormOf(req.body);
    let openedText = openedTextIn(req.body);
    try {
      let edited: readonly string[] = EDITED;
      if (opened) {
        const current = shownValues(catalogue.game(gameId));
        const merged = mergeEdits(EDITED, { opened, entered, current });
        entered = merged.values as GameForm;
        openedText = JSON.stringify(current);
        edited = merged.edited;
        const conflicts = merged.conflicts.map((name) => ({ name, shown: String(current[name]) }));
        if (conflicts.length > 0) throw conflictError(conflicts);
      }
      const values = Object.entries({ ...entered, price: amountOf(entered.price) });
      const patch = Object.fromEntries(values.filter(([name]) => edited.includes(name)));
      if (edited.length > 0) await catalogue.change(gameId, patch);
      res.redirect(303, '/shop/admin?done=game-saved');
    } catch (error) {
      const body = failureOnPage(res, error);
      const notice = {
        ok: false,
        title: shopMessage('game-not-saved'),
        ...(body.code === 'ETAG_MISMATCH'
          ? { message: body.message, hint: sharedMessage('fields-changed-hint') }
          : { message: sharedMessage('sentence', { text: body.message }) }),
      };
      const retry = { gameId, entered, opened: openedText, faults: body.faults ?? [] };
      await send(req, res, { notice, retry });
    }
  });
  return router;
}

const EDITED = ['title', 'price', 'active'] as const;

/** Browsers do not submit a checkbox that is not selected. */
function gameFormOf(body: unknown): GameForm {
  const { title = '', price = '', active } = isJsonObject(body) ? body : {};
  return { title: String(title).trim(), price: String(price).trim(), active: active !== undefined };
}

/** Returns the original string if it is not a number, so that validation reports it. */
function amountOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function shownValues({ title, price, active }: Game): GameForm {
  return { title, price: price.toFixed(2), active };
}

function recordsOf({ reads, orders, catalogue }: Shop): RecordsPage {
  const payments = reads.newest(MAX_RECORDS).map((payment) => ({
    payment,
    lines: orders.linesOf(payment.orderId, MAX_LINES),
    events: reads.events(payment.transactionId),
  }));
  const lines = orders.newest(MAX_RECORDS);
  const userIds = [...payments.map(({ payment }) => payment.userId), ...lines.map(({ userId }) => userId)];
  const known = userIds.filter((userId) => userId !== null);
  const usernames = new Map(known.map((userId) => [userId, reads.username(userId)]));
  return {
    payments,
    lines,
    usernames,
    games: catalogue.games({ withRetired: true }),
    stats: orders.stats(),
  };
}

export function recordsContext(layout: LayoutData, page: RecordsPage): object {
  const { payments, lines, usernames, games, stats, notice, retry } = page;
  const customerOf = (userId: number): string => usernames.get(userId) ?? t('ID {0}', userId);
  return {
    ...layoutContext(layout, { page: 'shopRecords' }),
    notice: notice ? noticeText(notice) : null,
    records: payments.map(({ payment, ...parts }) => {
      const { userId } = payment;
      return recordLine(payment, { ...parts, customer: userId === null ? '' : customerOf(userId) });
    }),
    hasRecords: payments.length > 0,
    lines: lines.map((line) => orderRecord(line, customerOf(line.userId))),
    hasLines: lines.length > 0,
    games: games.map((game) => gameRow(game, retry)),
    chart: chart(stats),
  };
}

function gameRow(game: Game, retry: Retry | undefined): object {
  const { id, title, currency, sku } = game;
  const shown = shownValues(game);
  const own = retry?.gameId === id ? retry : undefined;
  const labels: Record<string, string> = {
    title: t('Title'),
    price: t('Price ({0})', currency),
    active: t('For sale'),
  };
  return {
    ...(own?.entered ?? shown),
    opened: own?.opened ?? JSON.stringify(shown),
    errors:
      own?.faults.map(({ path, message }) => `${labels[path.slice(1)] ?? ''} ${translated(message)}`) ?? [],
    id,
    stored: title,
    priceLabel: labels.price,
    ids: sku === null ? t('ID {0}', id) : t('ID {0}, SKU {1}', id, sku),
  };
}
