import type { Request, Response } from 'express';
import { failureOnPage, wantsPage } from '../../http/errors.js';
import type { Notice } from '../../http/pages.js';
import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { accessMessage } from '../messages.js';

/** For a browser, sends the page with the error; for any other client, rethrows the error. */
export async function failPage(
  req: Request,
  res: Response,
  error: unknown,
  send: (notice: Notice) => Promise<void>,
): Promise<void> {
  if (!wantsPage(req)) throw error;
  const { error: title, message: text, hint } = failureOnPage(res, error);
  const message = hint
    ? sharedMessage('sentences', { first: text, second: hint })
    : sharedMessage('sentence', { text });
  await send({ ok: false, title, message });
}

const DONE = ['user-added', 'user-changed', 'key-revoked', 'session-closed', 'factor-off'] as const;
type DoneKey = (typeof DONE)[number];

/** Returns the success message if the page was opened by the redirect after a form submission. */
export function doneNotice({ query }: Request): Notice | undefined {
  const key = DONE.find((name) => name === query.done);
  return key === undefined ? undefined : { ok: true, title: accessMessage(key) };
}

interface FormWork {
  /** Path of the page that the browser is redirected to. */
  back: string;
  done: DoneKey;
  /** Sends the page with the error. */
  fail: (notice: Notice) => Promise<void>;
  work: () => Promise<{ status: number; body: object }>;
}

/** Runs `work`, then redirects a browser, or sends the result as JSON to any other client. */
export async function answerForm(
  req: Request,
  res: Response,
  { back, done, fail, work }: FormWork,
): Promise<void> {
  try {
    const { status, body } = await work();
    if (wantsPage(req)) res.redirect(303, `${back}?done=${done}`);
    else res.status(status).json(body);
  } catch (error) {
    await failPage(req, res, error, fail);
  }
}

export function entryIdOf(text: unknown, what: string): number {
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw new GatewayError('INVALID_INPUT', `the ${what} ID must be a number`);
}
