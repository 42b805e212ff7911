import * as t from '../../web/openapi/parts.js';

const SCRIPTS = ['text/css', 'text/javascript'];

/** The same on every gateway of a version. */
const docsChapter = { name: 'Documents', description: 'These documents, and the files of the pages.' };
export const docsApi = t.api(docsChapter, {
  'GET /docs': t.anyone('This document as a page', { ok: t.page }),
  'GET /docs/:file': t.anyone('A script or style of that page', {
    ok: { content: t.contentOf(SCRIPTS, t.text) },
    answers: { 206: { content: t.contentOf(SCRIPTS, t.text) }, 304: {} },
  }),
  'GET /openapi.json': t.anyone('This document', { ok: t.json(t.object) }),
  'GET /asyncapi.json': t.anyone('MQTT, `/events` and `/drive` in AsyncAPI 3.0', { ok: t.json(t.object) }),
  'GET /assets/{*name}': t.anyone('Scripts, styles and pictures of the pages', {
    ok: { content: t.contentOf([...SCRIPTS, 'image/svg+xml'], t.text) },
    answers: { 304: {} },
  }),
});
