import type { Request } from 'express';
import { t, told } from '../../i18n/page.js';
import { brokerSettingsContext, type FrameData, type Notice, noticeTold } from '../../web/layout/context.js';
import { inLanguageOf } from '../../web/layout/language-routes.js';
import { frameContext } from '../../web/layout/layout-context.js';
import type { Pages } from '../../web/layout/pages.js';
import type { SettingsRoom } from '../document/settings.js';
import { settingsSchema } from '../schema/schema.js';
import { settingsForm } from './form.js';
import { type Review, versionRows } from './review.js';
import type { FormRetry } from './save.js';

/** What was given to be imported and is not valid. */
interface ImportRetry {
  faults: { path: string; message: string }[];
  text: string;
}

/** The pages of the settings. */
export interface SettingsViews {
  form: (req: Request, notice?: Notice, retry?: FormRetry) => string;
  review: (req: Request, review: Review) => string;
  history: (req: Request, notice?: Notice, retry?: ImportRetry) => string;
}

function faultTold({ path, message }: ImportRetry['faults'][number]): ImportRetry['faults'][number] {
  return { path, message: told(message) };
}

export function settingsViews(
  pages: Pages,
  frame: (req: Request) => FrameData,
  settings: SettingsRoom,
): SettingsViews {
  const base = (req: Request, title: string) => frameContext(frame(req), { title, page: 'settings' });
  return {
    form: (req, notice, retry) =>
      inLanguageOf(req, () => {
        const form = settingsForm(settingsSchema, settings.masked(), retry);
        const context = brokerSettingsContext(frame(req), form, notice);
        return pages.render('settings/brokerSettings', { ...context, etag: settings.etag });
      }),
    review: (req, review) =>
      inLanguageOf(req, () => {
        const title = told(review.title);
        return pages.render('settings/review', { ...base(req, title), review: { ...review, title } });
      }),
    history: (req, notice, retry) =>
      inLanguageOf(req, () =>
        pages.render('settings/history', {
          ...base(req, t`History of the settings`),
          versions: versionRows(settingsSchema, settings.history.list()),
          notice: notice ? noticeTold(notice) : null,
          retry: retry ? { ...retry, faults: retry.faults.map(faultTold) } : null,
          fileName: `settings-cart-${settings.current.gateway.cartID}.json`,
        }),
      ),
  };
}
