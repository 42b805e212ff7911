import type { RequestHandler } from 'express';
import { speaking } from '../../i18n/language.js';
import { told } from '../../i18n/live.js';
import { PAGE_LANGUAGE_HEADER, renderedJson } from '../../shared/messages/message.js';

/** Answers the scripts of a Dutch page in Dutch: the members of an answer stay as they are, and so do those for programs. */
export const pageMessages: RequestHandler = (req, res, next) => {
  if (req.headers[PAGE_LANGUAGE_HEADER] === 'nl') {
    res.json = (body: object) => res.type('json').send(speaking('nl', () => renderedJson(body, told)));
  }
  next();
};
