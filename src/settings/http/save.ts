import type { Request, RequestHandler } from 'express';
import { nameOf } from '../../access/schema.js';
import type { Fault } from '../../shared/errors.js';
import { failureOf } from '../../web/errors.js';
import { principalOf } from '../../web/guard/principal.js';
import type { Notice } from '../../web/layout/context.js';
import type { SettingsRoom } from '../document/settings.js';
import { settingsSchema } from '../schema/schema.js';
import { documentFromForm } from './body.js';

/** What is shown again when a form was not saved. */
export interface FormRetry {
  faults: Fault[];
  /** What was typed, by pointer. */
  entered: Record<string, unknown>;
}

interface SaveFormDeps {
  settings: SettingsRoom;
  isIdle: () => boolean;
  /** The sections that the form has. */
  sections: readonly string[];
  /** The page with the form, with what became of it. */
  render: (req: Request, notice: Notice, retry?: FormRetry) => string | Promise<string>;
}

/** Saves a settings form as a browser without scripts posts it: fields named by JSON pointer. */
export function saveForm({ settings, isIdle, sections, render }: SaveFormDeps): RequestHandler {
  return async (req, res) => {
    res.type('html');
    try {
      const patch = documentFromForm(settingsSchema, req.body, { current: settings.masked(), sections });
      const { restartNeeded } = await settings.update(patch, { isIdle, by: nameOf(principalOf(req)) });
      res.send(await render(req, savedNotice(restartNeeded)));
    } catch (error) {
      const { status, body } = failureOf(error);
      const notice = { ok: false, title: 'Not saved', message: body.message };
      res.status(status).send(await render(req, notice, { faults: body.faults ?? [], entered: req.body }));
    }
  };
}

/** What is said after a save. On trial: it is undone unless somebody confirms it. */
export function savedNotice(restartNeeded: readonly string[], isOnTrial = false): Notice {
  const message =
    restartNeeded.length > 0 ? `Takes effect at the next start: ${restartNeeded.join(', ')}.` : '';
  return {
    ok: true,
    title: isOnTrial ? 'In force, on trial' : 'Saved',
    ...(message ? { message } : {}),
    ...(isOnTrial
      ? { isTrial: true, hint: 'Check that everything still works, then confirm at the top of the page.' }
      : {}),
  };
}
