import type { StatusText } from '../../i18n/format.js';
import { withTexts } from '../../i18n/shared-text.js';
import { LIVE_UPDATE_TEXTS } from '../../locales/nl/updates.js';
import type { UpdateProgress } from '../../updates/pure.js';

const t = withTexts(LIVE_UPDATE_TEXTS);

export type ShownProgress = Pick<UpdateProgress, 'state' | 'version' | 'from' | 'step' | 'elapsedMs'>;

/** Returns the state of an update of the gateway in one sentence. */
export function progressStatus({ state, version, from, step }: ShownProgress): StatusText {
  const name = version ?? '';
  switch (state) {
    case 'none':
      return { tone: 'quiet', text: t('No update yet') };
    case 'requested':
      return { tone: 'live', text: t('Version {0}: waiting for the update service', name) };
    case 'running':
      return { tone: 'live', text: stepText(step, name) };
    case 'installed':
      return { tone: 'quiet', text: t('Version {0} was installed', name) };
    case 'returned':
      return {
        tone: 'warn',
        text: t('Version {0} did not work. The previous version {1} is running again.', name, from ?? ''),
      };
    case 'rejected':
      return { tone: 'warn', text: t('Version {0} was not installed. Nothing was changed.', name) };
    case 'failed':
      return { tone: 'stop', text: t('The update to version {0} failed', name) };
  }
}

function stepText(step: string | null, version: string): string {
  switch (step) {
    case 'copying':
      return t('Version {0}: copying the release', version);
    case 'placing':
      return t('Version {0}: the files are being installed', version);
    case 'stopping':
      return t('Version {0}: the gateway is stopping', version);
    case 'starting':
      return t('Version {0}: the gateway is starting', version);
    case 'testing':
    case 'done':
      return t('Version {0}: the gateway is being tested', version);
    case 'returning':
      return t('Version {0}: returning to the previous version', version);
    default:
      return t('Version {0}: checking the release', version);
  }
}

export function isUpdateActive({ state }: Pick<UpdateProgress, 'state'>): boolean {
  return state === 'requested' || state === 'running';
}

/** For example `Elapsed: 1:05`, in minutes and seconds. */
export function elapsedText(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  return t('Elapsed: {0}', `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
}
