import { away, oneOf, page, text, whole } from '../../web/openapi/parts.js';
import type { Api, Body } from '../../web/openapi/types.js';

const form = (required: string[], properties: Record<string, object>): Body => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', required, properties } } },
});
const ref = { ref: { description: 'As the checkout address has it' } };

export const shopPagesApi: Api = {
  tag: { name: 'Shop pages', description: 'Where people buy.' },
  routes: {
    'GET /shop': {
      summary: 'Catalogue, basket and own orders',
      query: { order: { description: 'The order that the buyer was paying' } },
      answers: { 200: page('`shop.html`') },
    },
    'POST /shop/basket': {
      summary: 'Its form for the basket',
      body: form(['game_id'], { game_id: whole, quantity: whole }),
      answers: { 303: away('Back to the shop') },
      failures: [404, 409, 503],
    },
    'POST /shop/checkout': {
      summary: 'Its form for paying',
      body: form(['nonce'], { nonce: text }),
      answers: { 303: away('To the page where it is paid') },
      failures: [409, 422, 429, 500, 503],
    },
    'GET /shop/admin': {
      summary: 'Payments, orders and statistics',
      answers: { 200: page('`shopAdmin.html`') },
    },
    'GET /sandbox/:ref': {
      summary: 'Where a payment of the sandbox is paid',
      path: ref,
      answers: { 200: page('`checkout.html`') },
      failures: [404],
    },
    'POST /sandbox/:ref': {
      summary: 'Pays, declines or cancels it',
      path: ref,
      body: form(['choice'], { choice: oneOf(['pay', 'decline', 'cancel']) }),
      answers: { 303: away('Back to the shop') },
      failures: [404, 409, 503],
    },
  },
};
