// Other folders import this module only through this file.

export type { Game } from './catalogue/catalogue.js';
export { requireGameId } from './check.js';
export { shopApi, shopPagesApi } from './http/openapi.js';
export type { ShopRoutesDeps } from './http/payment-routes.js';
export { requireLogin, type ShopPrincipal, shopPrincipalOf } from './http/principal.js';
export { DISABLED_CODES } from './http/responses.js';
export { shopRoutes } from './http/routes.js';
export { shopMessage } from './messages.js';
export type { Basket, TitleCount } from './orders/orders.js';
export { UNPAID_RETENTION_MS } from './orders/prune-writes.js';
export { interlockError } from './payments/errors.js';
export { type OrderRow, type PaymentEvent, type PaymentRow, payableUrl, type Settlement } from './rows.js';
export { type PaymentsConfig, paymentsConfigSchema } from './schema.js';
export { priceBook, Shop } from './shop.js';
export { shopWrites } from './writes.js';
