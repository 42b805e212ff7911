import { text } from '../../web/openapi/parts.js';
import type { Api } from '../../web/openapi/types.js';
import { cartIdSchema } from '../command/settings-schema.js';

const SEE = 'What is said on it is described in `/asyncapi.json`.';

export const eventsApi: Api = {
  tag: { name: 'Live', description: 'What happens, as it happens.' },
  routes: {
    'GET /events': {
      summary: 'Server-sent events',
      description: SEE,
      query: {
        cart: {
          description: 'A cart to be told of in any case; of a large fleet the first 50 are',
          schema: cartIdSchema,
        },
      },
      answers: { 200: { description: 'Without an end', content: { 'text/event-stream': { schema: text } } } },
      failures: [503],
    },
    'GET /drive': {
      summary: 'The WebSocket for driving by hand; people only',
      description: SEE,
      answers: { 101: { description: 'It is a WebSocket now' } },
      failures: [426, 503],
    },
  },
};
