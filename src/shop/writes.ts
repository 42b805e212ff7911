import type { WriteDatabase, WriteOperations } from '../shared/ports/database.js';
import { addGame, changeGame, removeGame, seed } from './catalogue/writes.js';
import { changeBasket, emptyBasket } from './orders/basket-writes.js';
import { placeOrder } from './orders/order-writes.js';
import { pruneLines, prunePayments } from './orders/prune-writes.js';
import { beginPayment } from './payments/begin-writes.js';
import { abandon, recordFailure, recordHint } from './payments/failure-writes.js';
import { recordStatus, setStatus } from './payments/status-and-refund-writes.js';

export interface PriceRequest {
  provider: string;
  currency: string;
  amountMinor: number;
  ref: string;
}

function savePrice(db: WriteDatabase, request: PriceRequest): void {
  db.prepare(`
    INSERT INTO provider_prices (provider, currency, amount_minor, price_ref)
    VALUES (@provider, @currency, @amountMinor, @ref)
    ON CONFLICT (provider, currency, amount_minor) DO UPDATE SET price_ref = @ref`).run({ ...request });
}

function saveEventsRead(db: WriteDatabase, { at }: { at: number }): void {
  db.prepare(`
    INSERT INTO shop_facts (name, at) VALUES ('provider-events', @at)
    ON CONFLICT (name) DO UPDATE SET at = @at`).run({ at });
}

export const shopWrites = {
  'shop.seed': seed,
  'shop.addGame': addGame,
  'shop.changeGame': changeGame,
  'shop.removeGame': removeGame,
  'shop.changeBasket': changeBasket,
  'shop.emptyBasket': emptyBasket,
  'shop.placeOrder': placeOrder,
  'shop.begin': beginPayment,
  'shop.recordStatus': recordStatus,
  'shop.setStatus': setStatus,
  'shop.recordFailure': recordFailure,
  'shop.abandon': abandon,
  'shop.recordHint': recordHint,
  'shop.savePrice': savePrice,
  'shop.saveEventsRead': saveEventsRead,
  'shop.pruneLines': pruneLines,
  'shop.prunePayments': prunePayments,
} satisfies WriteOperations;
