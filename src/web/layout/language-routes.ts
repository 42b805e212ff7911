import { type Request, type RequestHandler, Router } from 'express';
import { LANGUAGES, type Language, speaking } from '../../i18n/language.js';
import { translated } from '../../i18n/messages.js';
import { GatewayError } from '../../shared/errors.js';
import { PAGE_LANGUAGE_HEADER, renderedJson } from '../../shared/messages/message.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { safeNext } from '../guard/origin.js';
import * as t from '../openapi/schema-helpers.js';
import { readBody } from '../server/bodies.js';

const COOKIE = 'language';
const YEAR_S = 31_536_000;
const CODES = Object.keys(LANGUAGES) as Language[];

/** The language that a page is asked for in: what its reader has chosen, else what the browser prefers. */
export function languageOf(req: Request): Language {
  const [, chosen] = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\w+)`).exec(req.headers.cookie ?? '') ?? [];
  return (
    CODES.find((code) => code === chosen) ??
    CODES.find((code) => code === req.acceptsLanguages(CODES)) ??
    'en'
  );
}

/** Does something in the language of whoever asks. It must be done when it returns. */
export function inLanguageOf<T>(req: Request, work: () => T extends Promise<unknown> ? never : T): T {
  return speaking(languageOf(req), work);
}

const languageChapter = { name: 'Login' };
export const languageApi = t.api(languageChapter, {
  'POST /language': t.access({ need: 'public' })('Chooses the language of the pages', {
    body: t.formBody(
      t.open(['language'], {
        language: { ...t.text, description: 'Its code, such as `en`' },
        back: t.text,
      }),
      { language: 'en', back: '/' },
      4,
    ),
    redirect: 'Back to the page',
  }),
});

/** `POST /language`: the choice is kept by the browser, for people without a login as well. */
export function languageRoutes(): Router {
  const router = Router();
  router.post('/language', ...readBody(languageApi.routes['POST /language']), (req, res) => {
    const { language, back } = isJsonObject(req.body) ? req.body : {};
    if (!CODES.some((code) => code === language)) {
      throw new GatewayError('INVALID_INPUT', `language must be one of ${CODES.join(', ')}`, {
        field: 'language',
      });
    }
    const attributes = `Path=/; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax${req.secure ? '; Secure' : ''}`;
    res.append('set-cookie', `${COOKIE}=${language}; ${attributes}`);
    res.redirect(303, safeNext(back));
  });
  return router;
}

/** Answers the scripts of a Dutch page in Dutch: the members of an answer stay as they are, and so do those for programs. */
export const pageMessages: RequestHandler = (req, res, next) => {
  if (isDutchPage(req)) res.json = (body: object) => res.type('json').send(dutchJson(body));
  next();
};

/** Whether a script of a Dutch page sent the request. */
export function isDutchPage(req: Request): boolean {
  return req.headers[PAGE_LANGUAGE_HEADER] === 'nl';
}

/** JSON with the messages in Dutch. */
export function dutchJson(body: object): string {
  return speaking('nl', () => renderedJson(body, translated));
}
