import { byteText, upperFirst } from '../../i18n/format.js';
import { continued, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { packageFacts } from '../../shared/package-root.js';
import type { UpdatePage, UploadedRelease } from '../../updates/index.js';
import { elapsedText, isUpdateActive, progressStatus } from '../labels/update-labels.js';
import { noticeText } from '../layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import { supportText } from '../system/context.js';

/** Number of digits of a key's fingerprint that the page shows. */
const FINGERPRINT_DIGITS = 16;

/** Returns the template context of `update/update.html`. */
export function updateContext(layout: LayoutData, { view, progress, notice }: UpdatePage): LayoutContext {
  const { available, blockedBy, freeBytes, installed, reason = '', updates } = view;
  const isActive = isUpdateActive(progress);
  const [release] = updates;
  const shown = {
    installed: installed.version,
    architecture: installed.architecture,
    support: supportText(packageFacts().support.until, Date.now()),
    progress: {
      ...progressStatus(progress),
      state: progress.state,
      isShown: progress.state !== 'none',
      isActive,
      reason: sentence(translated(progress.reason)),
      elapsed: progress.elapsedMs === null ? '' : elapsedText(progress.elapsedMs),
    },
    available,
    unavailable: sentence(translated(reason)),
    release: release && !isActive && !release.installed ? releaseContext(release, freeBytes) : null,
    canInstall: available && !isActive && release?.fits === true,
    blockedBy:
      available && blockedBy !== '' ? t('Not possible at the moment: {0}', continued(blockedBy)) : '',
    makesBackup: view.makesBackup,
    canUpload: available && !isActive,
    notice: notice ? noticeText(notice) : null,
  };
  return { ...layoutContext(layout, { page: 'update' }), ...shown };
}

function releaseContext(
  { version, architecture, bytes, signedBy, notes, problem }: UploadedRelease,
  freeBytes: number,
): object {
  return {
    version,
    processor: architecture,
    size: byteText(bytes),
    signedBy: signedBy ? t('key {0}', grouped(signedBy)) : t('no valid signature'),
    notes,
    free: byteText(freeBytes),
    tone: problem ? 'warn' : 'quiet',
    fitText: problem
      ? t('Cannot be installed: {0}', continued(problem.text))
      : t('Can be installed on this gateway'),
    fitHint: translated(problem?.hint ?? ''),
  };
}

/** Groups of four digits can be compared by eye. */
function grouped(fingerprint: string): string {
  return (fingerprint.slice(0, FINGERPRINT_DIGITS).match(/.{4}/g) ?? []).join(' ');
}

function sentence(text: string): string {
  return text === '' ? '' : `${upperFirst(text)}.`;
}
