import type { Request, RequestHandler, Response } from 'express';
import { failureOnPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { inLanguageOf } from '../../http/language.js';
import type { Notice } from '../../http/pages.js';
import { translated } from '../../i18n/messages.js';
import { settingText } from '../../i18n/page-text.js';
import {
  mayChange,
  type SettingsService,
  type Since,
  settingsMessage,
  settingsSchema,
  type ValueChange,
} from '../../settings/index.js';
import { type Fault, GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { trialEndText } from '../labels/fault-texts.js';
import { type LayoutData, noticeText, type Translated } from '../layout/context.js';
import { type LayoutContext, layoutContext } from '../layout/layout-context.js';
import type { Pages } from '../layout/pages.js';
import { conflictOf } from './change-rows.js';
import { changedEntries, documentFromForm, SETTINGS_SECTIONS } from './fields.js';
import { type FormView, type SettingsForm, settingsForm } from './form.js';
import { pendingRestartText } from './restart-text.js';
import type { Review } from './review.js';
import type { Filling } from './table.js';
import { versionRows } from './version-rows.js';

interface ImportRetry {
  faults: Fault[];
  text: string;
}

export interface SettingsViews {
  /** @param submitted the form that was last submitted; the page then shows the section of this form. */
  form: (req: Request, notice?: Notice, retry?: FormRetry, submitted?: unknown) => string;
  review: (req: Request, review: Review) => string;
  history: (req: Request, notice?: Notice, retry?: ImportRetry) => string;
}

function translatedFault({ path, message }: Fault): { path: string; message: string } {
  return { path, message: translated(message) };
}

interface FormParts {
  hasZones?: () => boolean;
  /** Returns the rows that operators can add to the form's tables. */
  offers?: () => Filling['offers'];
  /** Command that restarts the gateway; empty if the gateway does not run as a service. */
  restartCommand?: string;
}

export function settingsViews(
  pages: Pages,
  layout: (req: Request) => LayoutData,
  settings: SettingsService,
  { hasZones = () => false, offers = () => ({}), restartCommand = '' }: FormParts = {},
): SettingsViews {
  return {
    form: (req, notice, retry, submitted = retry?.entered ?? req.body) =>
      inLanguageOf(req, () => {
        const sections = SETTINGS_SECTIONS.filter((section) => mayChange(req, section, hasZones()));
        const view = { ...viewOf(submitted), ...viewOf(req.query) };
        const options = { ...retry, etag: settingsEtag(settings, retry), offers: offers(), sections, view };
        const form = settingsForm(settingsSchema, settings.masked(), options);
        const restartNeeded = pendingRestartText(settings);
        const isSaved = !notice && restartNeeded !== '' && isJustSaved(settings, req);
        const shown = notice ?? (isSaved ? undefined : resultNotice(settings, req));
        const context = brokerSettingsContext(layout(req), form, shown);
        const cameraTitle = settingText(settingsSchema.properties.camera.title);
        return pages.render('settings/brokerSettings', {
          ...context,
          cameraTitle,
          reloadHref: formPath(view),
          restartNeeded,
          isSaved,
          restartCommand,
        });
      }),
    review: (req, review) =>
      inLanguageOf(req, () => {
        const title = translated(review.title);
        const page = review.fromForm ? 'settings' : 'settingsHistory';
        const context = layoutContext(layout(req), { page, title });
        return pages.render('settings/review', { ...context, review });
      }),
    history: (req, notice, retry) =>
      inLanguageOf(req, () =>
        pages.render('settings/history', {
          ...layoutContext(layout(req), { page: 'settingsHistory' }),
          versions: versionRows(settingsSchema, settings.history.list()),
          notice: notice ? noticeText(notice) : null,
          retry: retry ? { ...retry, faults: retry.faults.map(translatedFault) } : null,
          fileName: `settings-cart-${settings.current.gateway.cartID}.json`,
        }),
      ),
  };
}

/**
 * Returns the path and query of the Settings page.
 * @param view the form or the query whose section, search and view the page shows.
 * @param result names the change whose result the page shows.
 */
export function formPath(view: unknown, result: { saved?: string; trial?: string } = {}): string {
  const { section, find, isAdvanced } = viewOf(view);
  const query = new URLSearchParams({
    ...(section ? { section } : {}),
    ...(find ? { find } : {}),
    ...(isAdvanced ? { view: 'advanced' } : {}),
    ...result,
  });
  return query.size > 0 ? `/brokerSettings?${query}` : '/brokerSettings';
}

/**
 * Returns the notice about the change that the page's query names. The notice states the current result of the
 * change, so that a reload never shows an outdated one. Returns undefined if the settings have changed again since.
 */
export function resultNotice(settings: SettingsService, req: Request): Notice | undefined {
  const { trial } = req.query;
  const { ended } = settings.trial;
  if (typeof trial === 'string' && trial === settings.trial.view()?.id) return trialNotice(settings);
  if (ended && trial === ended.id) {
    const isKept = ended.outcome === 'confirmed';
    const title = settingsMessage(isKept ? 'confirmed' : 'rolled-back');
    return { ok: true, title, message: trialEndText(ended), isTrial: true };
  }
  return isJustSaved(settings, req) ? { ok: true, title: settingsMessage('saved') } : undefined;
}

function isJustSaved({ etag }: SettingsService, { query: { saved } }: Request): boolean {
  return saved !== undefined && saved === etag;
}

function viewOf(from: unknown): FormView {
  const { section, find, view } = isJsonObject(from) ? from : {};
  return {
    ...(typeof section === 'string' ? { section } : {}),
    ...(typeof find === 'string' ? { find } : {}),
    ...(view === undefined ? {} : { isAdvanced: view === 'advanced' }),
  };
}

/** Returns the ETag of the settings that the entered values replace. */
export function settingsEtag({ etag }: SettingsService, retry?: FormRetry): string {
  return typeof retry?.entered.etag === 'string' ? retry.entered.etag : etag;
}

export interface FormRetry {
  faults: Fault[];
  entered: Record<string, unknown>;
}

interface SaveFormDeps {
  settings: SettingsService;
  isIdle: () => boolean;
  sections: readonly string[];
  /** Path of the page that shows `resultNotice`. */
  path: string;
  /** Sends the page with the error and the values that were entered. */
  send: (req: Request, res: Response, notice: Notice, retry: FormRetry) => Promise<void>;
}

export function saveForm({ settings, isIdle, sections, path, send }: SaveFormDeps): RequestHandler {
  return async (req, res) => {
    const { etag } = req.body;
    const since = settings.since(etag);
    const current = since?.shown ?? settings.masked();
    try {
      const patch = documentFromForm(settingsSchema, req.body, { current, sections });
      // A client that sends no ETag, such as a script, replaces the values regardless of conflicts.
      if (etag !== undefined) refuseConflicts(settings.preview(patch).changes, since);
      const ifMatch = etag === undefined ? {} : { ifMatch: settings.etag };
      await settings.update(patch, { isIdle, by: callerActor(req), ...ifMatch });
      // Redirects, so that a reload of the page does not send the form again.
      res.redirect(303, `${path}?${new URLSearchParams({ saved: settings.etag })}`);
    } catch (error) {
      const body = failureOnPage(res, error);
      const notice = { ok: false, title: settingsMessage('not-saved'), message: body.message };
      const changed = changedEntries(settingsSchema, req.body, current);
      // The page shows the conflicts, so the next submission may replace the current settings.
      const entered = body.code === 'ETAG_MISMATCH' ? { ...changed, etag: settings.etag } : changed;
      const retry = { faults: body.faults ?? [], entered };
      await send(req, res, notice, retry);
    }
  };
}

/** Throws `ETAG_MISMATCH` with an error for each field that was also changed elsewhere since the form was opened. */
function refuseConflicts(changes: readonly ValueChange[], since: Since | undefined): void {
  const faults = changes
    .filter((change) => !since || conflictOf(change, since.changes))
    .map(({ pointer }) => ({ path: pointer, message: settingsMessage('fault.changed-elsewhere') }));
  if (faults.length === 0) return;
  throw new GatewayError('ETAG_MISMATCH', settingsMessage('changed-meanwhile'), { faults });
}

function trialNotice({ restartNeeded }: SettingsService): Notice {
  return {
    ok: true,
    title: settingsMessage('in-force'),
    isTrial: true,
    hint: settingsMessage(restartNeeded.length > 0 ? 'in-force-restart' : 'in-force-hint'),
  };
}

export function brokerSettingsContext(
  layout: LayoutData,
  form: SettingsForm,
  notice?: Notice,
): LayoutContext & { form: SettingsForm; notice: Translated<Notice> | null } {
  // If the form has errors, their summary replaces the notice.
  const shown = form.hasFaults || !notice ? null : noticeText(notice);
  return { ...layoutContext(layout, { page: 'settings' }), form, notice: shown };
}
