import type { FirmwareProgress } from '../../carts/pure.js';
import type { StatusText } from '../../i18n/format.js';
import { t } from '../../i18n/shared-text.js';
import { never } from '../../shared/errors.js';

/** Returns the state of an update in one sentence. */
export function updateStatus({ phase, percent }: FirmwareProgress): StatusText {
  const running = (text: string): StatusText => ({ tone: 'live', text });
  switch (phase) {
    case 'idle':
      return { tone: 'quiet', text: t('No update is running') };
    case 'interrupted':
      return { tone: 'stop', text: t('An update was interrupted. The cart cannot be driven.') };
    case 'checking':
      return running(t('Checking the firmware file'));
    case 'flashing':
      return running(t('Writing the firmware: {0}%', percent));
    case 'verifying':
      return running(t('Verifying the firmware: {0}%', percent));
    case 'reconnecting':
      return running(t('Connecting to the controller'));
    case 'self-test':
      return running(t('Testing the controller without motion'));
    case 'done':
      return { tone: 'quiet', text: t('The controller was updated and passed the self-test') };
    case 'failed':
      return { tone: 'stop', text: t('The update failed') };
    default:
      return never(phase);
  }
}

export function isUpdating({ phase }: FirmwareProgress): boolean {
  return phase !== 'idle' && phase !== 'interrupted' && phase !== 'done' && phase !== 'failed';
}
