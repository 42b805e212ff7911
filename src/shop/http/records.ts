import type { Request } from 'express';
import { t } from '../../i18n/page-text.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { failureOf } from '../../web/errors.js';
import { type Notice, noticeText } from '../../web/layout/context.js';
import { inLanguageOf } from '../../web/layout/language-routes.js';
import { layoutContext } from '../../web/layout/layout-context.js';
import { readBody } from '../../web/server/bodies.js';
import { type DeclaredRouter, declaredRouter } from '../../web/server/declared-router.js';
import type { Game } from '../catalogue/catalogue.js';
import { shopMessage } from '../messages.js';
import { requireId } from '../orders/check.js';
import { chart, orderRecord, recordLine } from './context.js';
import { shopPagesApi } from './openapi.js';
import type { ShopPagesDeps } from './pages.js';

const { routes } = shopPagesApi;

const MAX_RECORDS = 50;
/** Titles shown per payment. */
const MAX_LINES = 20;

interface Retry {
  gameId: number;
  entered: GameForm;
}

interface GameForm {
  title: string;
  price: string;
  active: boolean;
}

export function recordsPage(deps: ShopPagesDeps): DeclaredRouter {
  const router = declaredRouter();
  const page = (req: Request, notice?: Notice, retry?: Retry): string =>
    inLanguageOf(req, () => deps.render('shop/admin', recordsContext(deps, req, notice, retry)));

  router.get('/shop/admin', (req, res) => {
    const isDone = req.query.done === 'game-saved';
    res.type('html').send(page(req, isDone ? { ok: true, title: shopMessage('game-saved') } : undefined));
  });
  router.post(
    '/shop/admin/games/:gameId',
    ...readBody(routes['POST /shop/admin/games/:gameId']),
    async (req, res) => {
      const gameId = requireId(req.params.gameId, 'gameId');
      const entered = gameFormOf(req.body);
      try {
        await deps.shop.catalogue.change(gameId, { ...entered, price: amountOf(entered.price) });
        res.redirect(303, '/shop/admin?done=game-saved');
      } catch (error) {
        const { status, body } = failureOf(error);
        if (body.code === 'INTERNAL') throw error;
        const message = sharedMessage('sentence', { text: body.message });
        const notice = { ok: false, title: shopMessage('game-not-saved'), message };
        res
          .status(status)
          .type('html')
          .send(page(req, notice, { gameId, entered }));
      }
    },
  );
  return router;
}

/** Browsers do not submit a checkbox that is not selected. */
function gameFormOf(body: unknown): GameForm {
  const { title = '', price = '', active } = isJsonObject(body) ? body : {};
  return { title: String(title).trim(), price: String(price).trim(), active: active !== undefined };
}

/** Returns the original string if it is not a number, so that validation reports it. */
function amountOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function recordsContext(
  { shop, layout }: ShopPagesDeps,
  req: Request,
  notice: Notice | undefined,
  retry: Retry | undefined,
): object {
  const { reads, orders, catalogue } = shop;
  const payments = reads.newest(MAX_RECORDS);
  const customerOf = (userId: number): string => reads.username(userId) ?? t`ID ${userId}`;
  const records = payments.map((row) => {
    const { transactionId, orderId, userId } = row;
    return recordLine(row, {
      customer: userId === null ? '' : customerOf(userId),
      lines: orders.linesOf(orderId, MAX_LINES),
      events: reads.events(transactionId),
    });
  });
  const lines = orders.newest(MAX_RECORDS).map((row) => orderRecord(row, customerOf(row.userId)));
  const games = catalogue.games({ withRetired: true }).map((game) => gameRow(game, retry));
  return {
    ...layoutContext(layout(req), { page: 'shopRecords' }),
    notice: notice ? noticeText(notice) : null,
    ...{ records, hasRecords: records.length > 0, lines, hasLines: lines.length > 0, games },
    chart: chart(orders.stats()),
  };
}

function gameRow({ id, title, price, currency, sku, active }: Game, retry: Retry | undefined): object {
  const shown = { title, price: price.toFixed(2), active };
  return {
    ...(retry?.gameId === id ? retry.entered : shown),
    ...{ id, stored: title, priceLabel: t`Price (${currency})` },
    ids: sku === null ? t`ID ${id}` : t`ID ${id}, SKU ${sku}`,
  };
}
