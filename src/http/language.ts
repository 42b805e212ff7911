import type { Request, RequestHandler } from 'express';
import { LANGUAGES, type Language, withLanguage } from '../i18n/language.js';
import { addMessages, translated } from '../i18n/messages.js';
import { SERVER_MESSAGES } from '../i18n/server-messages.js';
import { GatewayError } from '../shared/errors.js';
import { PAGE_LANGUAGE_HEADER, renderedJson } from '../shared/messages/message.js';
import { isJsonObject } from '../shared/validation/json.js';
import { safeNext } from './guard/origin.js';
import * as t from './openapi/schema-helpers.js';
import { type DeclaredRouter, routerOf } from './server/declared-router.js';

addMessages(SERVER_MESSAGES);

const COOKIE = 'language';
const YEAR_S = 31_536_000;
const CODES = Object.keys(LANGUAGES) as Language[];

/** Returns the language that the user has chosen; by default, the browser's preferred language. */
export function languageOf(req: Request): Language {
  const [, chosen] = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\w+)`).exec(req.headers.cookie ?? '') ?? [];
  return (
    CODES.find((code) => code === chosen) ??
    CODES.find((code) => code === req.acceptsLanguages(CODES)) ??
    'en'
  );
}

export function inLanguageOf<T>(req: Request, work: () => T extends Promise<unknown> ? never : T): T {
  return withLanguage(languageOf(req), work);
}

const languageChapter = { name: 'Login' };
export const languageApi = t.api(languageChapter, {
  'POST /language': t.access({ need: 'public' })('Sets the page language', {
    body: t.formBody(
      t.open(['language'], {
        language: { ...t.text, description: 'Language code, such as `en`' },
        back: t.text,
      }),
      { language: 'en', back: '/' },
      4,
    ),
    redirect: 'Redirect back to the page',
  }),
});

/** Handles `POST /language`. Stores the language in a cookie, so that it also applies before login. */
export function languageRoutes(): DeclaredRouter {
  const router = routerOf(languageApi);
  router.on('POST /language', (req, res) => {
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

/** Translates the messages in JSON responses for scripts on Dutch pages. */
export const pageMessages: RequestHandler = (req, res, next) => {
  if (isDutchPage(req)) res.json = (body: object) => res.type('json').send(dutchJson(body));
  next();
};

export function isDutchPage(req: Request): boolean {
  return req.headers[PAGE_LANGUAGE_HEADER] === 'nl';
}

export function dutchJson(body: object): string {
  return withLanguage('nl', () => renderedJson(body, translated));
}
