import { json, page, text } from '../../web/openapi/parts.js';
import type { Api } from '../../web/openapi/types.js';

const any = { type: 'object' };
const css = { 'text/css': { schema: text } };
const script = { 'text/javascript': { schema: text } };

export const docsApi: Api = {
  tag: { name: 'Documents', description: 'These documents, and the files of the pages.' },
  routes: {
    'GET /docs': { summary: 'This document as a page', answers: { 200: page('`docs.html`') } },
    'GET /docs/:file': {
      summary: 'What draws that page',
      path: { file: { description: 'The name of a file' } },
      answers: {
        200: { description: 'The file', content: { ...css, ...script } },
        206: { description: 'A part of it', content: { ...css, ...script } },
        304: { description: 'You have it' },
      },
      failures: [404],
    },
    'GET /openapi.json': { summary: 'This document', answers: { 200: json('OpenAPI 3.1', any) } },
    'GET /asyncapi.json': {
      summary: 'What is said over MQTT, on `/events` and on `/drive`',
      answers: { 200: json('AsyncAPI 3.0', any) },
    },
    'GET /assets/{*name}': {
      summary: 'Scripts, styles and pictures of the pages',
      path: { name: { description: 'The name of a file' } },
      answers: {
        200: { description: 'The file', content: { ...css, ...script, 'image/svg+xml': { schema: text } } },
        304: { description: 'You have it' },
      },
      failures: [404],
    },
  },
};
