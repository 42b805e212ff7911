import type { Request, Response } from 'express';
import {
  type Camera,
  type CameraState,
  cameraApi,
  cameraMessage,
  hasFault,
  type Photo,
} from '../../camera/index.js';
import { failureOf } from '../../http/errors.js';
import { declarePage, type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { momentText } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { SettingsService } from '../../settings/index.js';
import { noticeText, type Translated } from '../layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import type { SettingsForm } from '../settings/form.js';
import { type FormRetry, resultNotice, saveForm } from '../settings/views.js';

export const cameraPage = declarePage<CameraPage>('Camera');

export const CAMERA_SECTIONS = ['camera'];

interface CameraPageDeps {
  camera: Camera;
  settings: SettingsService;
  isIdle: () => boolean;
}

export function cameraPageRoutes({ camera, settings, isIdle }: CameraPageDeps): DeclaredRouter {
  const router = routerOf(cameraApi);
  const send = async (req: Request, res: Response, shown: Partial<CameraPage>): Promise<void> =>
    await sendPage(req, res, cameraPage, {
      state: camera.state(),
      photos: await camera.gallery.list(),
      ...shown,
    });

  /** Returns an error as a notice, so that the camera page is still shown. */
  const takePhoto = async (): Promise<{ notice: Notice; shown?: Photo }> => {
    try {
      const shown = await camera.photoService.take();
      return { notice: { ok: true, title: cameraMessage('photo-taken') }, shown };
    } catch (error) {
      const { message, hint, code } = failureOf(error).body;
      if (code === 'INTERNAL') throw error;
      return {
        notice: { ok: false, title: cameraMessage('no-photo-taken'), message, ...(hint ? { hint } : {}) },
      };
    }
  };

  router.on('GET /runCamera', async (req, res) => {
    const shown = isIntended(req) ? await takePhoto() : {};
    await send(req, res, shown);
  });
  router.on('GET /cameraSettings', async (req, res) => {
    const { photo } = req.query;
    const saved = resultNotice(settings, req);
    const found = (await camera.gallery.list()).find(({ name }) => name === photo);
    const deleted: Notice = { ok: false, title: cameraMessage('photo-deleted') };
    const shown = found ? { shown: found } : photo === undefined ? {} : { notice: deleted };
    await send(req, res, { ...(saved ? { notice: saved } : {}), ...shown });
  });
  const save = saveForm({
    settings,
    isIdle,
    sections: CAMERA_SECTIONS,
    path: '/cameraSettings',
    send: (req, res, notice, retry) => send(req, res, { notice, retry }),
  });
  router.on('POST /cameraSettings', save);
  return router;
}

/** Returns false for prefetch requests, and for images or frames embedded in other sites' pages. */
function isIntended({ method, headers }: Request): boolean {
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-moz']].flat().join();
  const isEmbedded = headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document';
  return method === 'GET' && !purpose.includes('prefetch') && !isEmbedded;
}

/** Maximum number of photos on the page; `GET /camera/photos` lists all photos. */
const MAX_PHOTOS = 60;

export interface CameraPage {
  state: CameraState;
  photos: readonly Photo[];
  notice?: Notice;
  shown?: Photo;
  retry?: FormRetry;
}

interface PhotoRow {
  name: string;
  /** ISO 8601. */
  takenAt: string;
  /** For example `4 May 2026, 14:02:11`. */
  when: string;
  size: string;
}

type FormGroup = SettingsForm['sections'][number]['groups'][number];

interface CameraContext extends LayoutContext {
  camera: CameraState & { live: boolean; bad: boolean; lines: string };
  form: SettingsForm;
  applyText: string;
  /** The settings that the page always shows. */
  basic: readonly FormGroup[];
  advanced: readonly FormGroup[];
  /** True if an advanced setting has an error. */
  isAdvancedOpen: boolean;
  photos: PhotoRow[];
  /** For example `12 photos, 3.4 MB`; empty if there are no photos. */
  total: string;
  more: number;
  blank: PhotoRow;
  shown: PhotoRow | null;
  notice: Translated<Notice> | null;
}

export function cameraContext(
  layout: LayoutData,
  { state, photos, notice, shown }: CameraPage,
  form: SettingsForm,
): CameraContext {
  const groups = form.sections.flatMap((section) => section.groups);
  const advanced = groups.filter(({ title }) => title !== '');
  return {
    ...layoutContext(layout, { page: 'camera' }),
    camera: {
      ...state,
      reason: translated(state.reason),
      live: state.phase !== 'disabled',
      bad: hasFault({ phase: state.phase, ...(state.fault ? { fault: state.fault } : {}) }),
      lines: state.fault?.lines.join('\n') ?? '',
    },
    form,
    applyText: form.sections[0]?.applyText ?? '',
    basic: groups.filter(({ title }) => title === ''),
    advanced,
    isAdvancedOpen: advanced.some(({ rows }) => rows.some(({ error }) => error !== '')),
    photos: photos.slice(0, MAX_PHOTOS).map(photoRow),
    total: totalOf(photos),
    more: Math.max(0, photos.length - MAX_PHOTOS),
    blank: { name: '', takenAt: '', when: '', size: '' },
    shown: shown ? photoRow(shown) : null,
    // If the form has errors, its summary replaces the notice and states that nothing was saved.
    notice: form.hasFaults || !notice ? null : noticeText(notice),
  };
}

function photoRow({ name, takenAt, bytes }: Photo): PhotoRow {
  return { name, takenAt, when: momentText(takenAt), size: sizeText(bytes) };
}

function totalOf(photos: readonly Photo[]): string {
  if (photos.length === 0) return '';
  const bytes = photos.reduce((sum, photo) => sum + photo.bytes, 0);
  const size = sizeText(bytes);
  return photos.length === 1 ? t('1 photo, {0}', size) : t('{0} photos, {1}', photos.length, size);
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} kB`
    : `${decimal(bytes / 1_000_000, 1)} MB`;
}
