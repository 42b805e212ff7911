import { json, listOf, record, since1970, whole } from '../../web/openapi/parts.js';
import type { Api } from '../../web/openapi/types.js';
import type { HistoryEntry } from '../history/history.js';

const entry = (view: object) => listOf(record<HistoryEntry>({ id: whole, at: since1970, view }));
const page = {
  limit: { description: 'How many; 50 when left out', schema: { ...whole, minimum: 1, maximum: 200 } },
  before: { description: 'The `id` of the last entry that you have', schema: { ...whole, minimum: 1 } },
};

export const historyApi: Api = {
  tag: { name: 'History', description: 'What happened in the last 30 days.' },
  routes: {
    'GET /history/commands': {
      summary: 'What carts did',
      query: page,
      answers: { 200: json('Newest first; `view` is the command as it was', entry({ type: 'object' })) },
      failures: [400],
    },
    'GET /history/safety': {
      summary: 'What stopped them',
      query: page,
      answers: {
        200: json(
          'Newest first',
          entry({
            type: 'object',
            required: ['cartID', 'kind'],
            properties: { cartID: whole, kind: { type: 'string' } },
          }),
        ),
      },
      failures: [400],
    },
  },
};
