import type { Request, Response } from 'express';
import { failureOf, wantsHtml } from '../../web/errors.js';
import type { SystemPage } from './context.js';

/** The outcome of a request, as the System page shows it. */
export type Shown = Pick<SystemPage, 'notice' | 'checked'>;

/** `system/system.html` with the outcome of a request. */
export type RenderSystem = (req: Request, shown: Shown) => Promise<string>;

type Work = () => Promise<{ status?: number; body: object; shown: Shown }>;

/** Does the work of a request, and answers a browser with the System page and a program with JSON. */
export function systemAttempt(
  renderSystem: RenderSystem,
): (req: Request, res: Response, work: Work) => Promise<void> {
  return async (req, res, work) => {
    const show = async (status: number, shown: Shown): Promise<void> =>
      void res
        .status(status)
        .type('html')
        .send(await renderSystem(req, shown));
    try {
      const { status = 200, body, shown } = await work();
      if (wantsHtml(req)) await show(status, shown);
      else res.status(status).json(body);
    } catch (error) {
      const { status, body } = failureOf(error);
      if (!wantsHtml(req) || body.code === 'INTERNAL') throw error;
      const { error: title, message, hint } = body;
      await show(status, { notice: { ok: false, title, message, ...(hint ? { hint } : {}) } });
    }
  };
}
