import type { Request, Response } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { wantsHtml } from '../../web/errors.js';
import type { Notice } from '../../web/layout/context.js';
import type { Access } from '../access.js';
import { type AccessPages, failPage } from './views.js';

export interface AccessRoutesDeps {
  access: Access;
  pages: AccessPages;
}

export interface FormWork {
  /** The page that a browser returns to. */
  back: string;
  /** The same page with a notice, for a browser whose form failed. */
  page: (notice: Notice) => string;
  work: () => Promise<{ status: number; body: object }>;
}

/** Does the work, then sends a browser back to its page and a program the result. */
export async function answerForm(req: Request, res: Response, { back, page, work }: FormWork): Promise<void> {
  try {
    const { status, body } = await work();
    if (wantsHtml(req)) res.redirect(303, back);
    else res.status(status).json(body);
  } catch (error) {
    failPage(req, res, error, page);
  }
}

export function idOf(text: unknown, what: string): number {
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw new GatewayError('INVALID_INPUT', `a ${what} is named by its number`);
}
