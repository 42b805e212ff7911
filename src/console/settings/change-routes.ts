import type { Request, RequestHandler, Response } from 'express';
import { failureOnPage, wantsPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { inLanguageOf } from '../../http/language.js';
import type { Notice } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import {
  requirePermission,
  type SettingsService,
  settingsApi,
  settingsMessage,
  settingsSchema,
} from '../../settings/index.js';
import { actorName } from '../../shared/actor.js';
import { errorText, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { isJsonObject, parseJson } from '../../shared/validation/json.js';
import { validationMessage } from '../../shared/validation/messages.js';
import { changeRows } from './change-rows.js';
import { changedEntries, documentFromForm } from './fields.js';
import { type Proposal, Proposals, type Review, speedNote, staleText } from './review.js';
import { formPath, type SettingsViews } from './views.js';

const NO_CHANGES: Notice = {
  ok: true,
  title: settingsMessage('no-changes'),
  message: settingsMessage('like-that-already'),
};

interface SettingsChangeDeps {
  settings: SettingsService;
  isIdle: () => boolean;
  hasZones: () => boolean;
  views: SettingsViews;
}

export function settingsChangeRoutes({
  settings,
  isIdle,
  hasZones,
  views,
}: SettingsChangeDeps): DeclaredRouter {
  const router = routerOf(settingsApi);
  router.on('GET /brokerSettings', (req, res) => void res.type('html').send(views.form(req)));
  const proposals = new Proposals();

  /** Sends the review page, or returns false if `proposal` changes nothing. Throws `INVALID_INPUT`. */
  const show = (req: Request, res: Response, proposal: Omit<Proposal, 'etag'>, title: Text): boolean => {
    const preview = settings.preview(proposal.patch);
    const { changes, change, isRisky } = preview;
    if (changes.length === 0) return false;
    requirePermission(req, hasZones)(change.changed);
    const { entered } = proposal;
    const since = entered && settings.since(entered.etag);
    const rows = inLanguageOf(req, () => changeRows(settingsSchema, changes, since?.changes));
    const review: Review = {
      proposal: proposals.add({ ...proposal, etag: settings.etag }),
      title,
      rows,
      trialS: isRisky ? Math.round(settings.trial.trialMs / 1000) : 0,
      isStricter: !isRisky && change.changed.includes('limits'),
      speedNote: inLanguageOf(req, () => speedNote(preview)),
      needsIdle: rows.some(({ apply }) => apply === 'idle'),
      needsRestart: change.restartNeeded.length > 0,
      stale: entered ? inLanguageOf(req, () => staleText(rows, since)) : null,
      fromForm: entered !== undefined,
    };
    res.type('html').send(views.review(req, review));
    return true;
  };

  /**
   * Sends the review of the fields that the user has changed, so that fields that were changed elsewhere since the
   * form was opened keep their new values. Sends the form if nothing was changed or a value is invalid.
   */
  const review = (req: Request, res: Response, form: Record<string, unknown>): void => {
    const current = settings.since(form.etag)?.shown ?? settings.masked();
    const entered = changedEntries(settingsSchema, form, current);
    try {
      const patch = documentFromForm(settingsSchema, form, { current });
      if (show(req, res, { patch, why: 'save', entered }, settingsMessage('check-change'))) return;
      res.type('html').send(views.form(req, NO_CHANGES));
    } catch (error) {
      const body = failureOnPage(res, error);
      const notice = { ok: false, title: settingsMessage('not-saved'), message: body.message };
      const retry = { faults: body.faults ?? [], entered };
      res.type('html').send(views.form(req, notice, retry));
    }
  };

  router.on('POST /brokerSettings', (req, res) => {
    review(req, res, req.body);
  });

  router.on('POST /brokerSettings/edit', (req, res) => {
    const { entered = {} } = proposals.take(req.body.proposal);
    res.type('html').send(views.form(req, undefined, { faults: [], entered }));
  });

  router.on('POST /brokerSettings/apply', async (req, res) => {
    let entered: Proposal['entered'];
    try {
      const { patch, why, etag, ...rest } = proposals.take(req.body.proposal);
      entered = rest.entered;
      const by = callerActor(req);
      const { trialId: trial } = await settings.update(patch, {
        isIdle,
        ifMatch: etag,
        by,
        why,
        onTrial: true,
        authorise: requirePermission(req, hasZones),
      });
      // Redirects, so that a reload of the page does not send the form again.
      res.redirect(303, formPath(entered, trial === undefined ? { saved: settings.etag } : { trial }));
    } catch (error) {
      const body = failureOnPage(res, error);
      if (body.code === 'ETAG_MISMATCH' && entered) return review(req, res, entered);
      const { message, hint } = body;
      const notice = { ok: false, title: settingsMessage('not-saved'), message, ...(hint ? { hint } : {}) };
      res.type('html').send(views.form(req, notice, { faults: [], entered: entered ?? {} }));
    }
  });

  router.on('GET /brokerSettings/history', (req, res) => {
    if (wantsPage(req)) res.type('html').send(views.history(req));
    else
      res.json(
        settings.history.list().map(({ version, atMs, by, why, changes }) => ({
          version,
          atMs,
          by: actorName(by),
          why,
          changes: plain(changes),
        })),
      );
  });

  router.on('POST /brokerSettings/history/:version', (req, res) => {
    const version = Number(req.params.version);
    const patch = settings.replacing(settings.history.document(version));
    if (show(req, res, { patch, why: 'restore' }, settingsMessage('back-to-version', { version }))) return;
    res.type('html').send(views.history(req, NO_CHANGES));
  });

  router.on('POST /brokerSettings/import', (req, res) => {
    const { document } = req.body;
    try {
      const patch = settings.replacing(importedDocument(document));
      if (show(req, res, { patch, why: 'import' }, settingsMessage('check-import'))) return;
      res.type('html').send(views.history(req, NO_CHANGES));
    } catch (error) {
      const body = failureOnPage(res, error);
      const faults = body.faults ?? [{ path: '', message: body.message }];
      const text = typeof document === 'string' ? document : '';
      res.type('html').send(views.history(req, undefined, { faults, text }));
    }
  });

  const settle = (end: (id: string, req: Request) => Promise<void>): RequestHandler => {
    return async (req, res) => {
      const trial = String(req.body.id);
      await end(trial, req);
      if (wantsPage(req)) res.redirect(303, formPath(undefined, { trial }));
      else res.json({ ok: true });
    };
  };
  const confirm = (id: string, req: Request) =>
    settings.trial.confirm(id, { by: callerActor(req), authorise: requirePermission(req, hasZones) });
  const rollBack = (id: string, req: Request) =>
    settings.trial.rollBack(id, {
      by: callerActor(req),
      isIdle,
      authorise: requirePermission(req, hasZones),
    });
  router.on('POST /brokerSettings/confirm', settle(confirm));
  router.on('POST /brokerSettings/rollback', settle(rollBack));
  return router;
}

function plain(changes: readonly { pointer: string; from: unknown; to: unknown }[]) {
  return changes.map(({ pointer, from, to }) => ({ pointer, from, to }));
}

function importedDocument(document: unknown): Record<string, unknown> {
  const refuse = (message: Text) =>
    new GatewayError('INVALID_INPUT', message, { faults: [{ path: 'The document', message }] });
  if (isJsonObject(document)) return document;
  if (typeof document !== 'string' || document.trim() === '') throw refuse(validationMessage('required'));
  let parsed: unknown;
  try {
    parsed = parseJson(document);
  } catch (error) {
    throw refuse(errorText(error));
  }
  if (isJsonObject(parsed)) return parsed;
  throw refuse(settingsMessage('json-object'));
}
