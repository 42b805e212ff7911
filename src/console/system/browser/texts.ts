import { withTexts } from '../../../i18n/shared-text.js';
import { LIVE_SYSTEM_TEXTS } from '../../../locales/nl/system/system.js';
import { LIVE_TREND_TEXTS } from '../../../locales/nl/system/trends.js';

const t = withTexts(LIVE_SYSTEM_TEXTS, LIVE_TREND_TEXTS);

export const SYSTEM_TEXTS = {
  unseen: t('No response from the gateway: values are out of date'),
  lines: (count: number) =>
    count === 0 ? t('No matching lines') : count === 1 ? t('1 line') : t('{0} lines', count),
  confirmableIn: (seconds: number) => t('You can confirm the restore in {0} s.', seconds),
  copying: t('Creating and verifying the backup'),
  holdDelete: t('Press and hold Delete until the ring is full.'),
  confirmDelete: t('Delete this backup? This cannot be undone.'),
  holdRestore: t('Hold for 1 s to confirm.'),
  confirmRestore: t('Replace the database with this backup when the gateway restarts?'),
} as const;

export const TREND_TEXTS = {
  seen: t('Up to date'),
  unseen: t('No response from the gateway: values are out of date'),
  now: (time: string) => t('{0}, now', time),
  notMeasured: t('not measured'),
  noCommand: t('no command'),
  maximum: (value: string, time: string) => t('Maximum {0} at {1}', value, time),
  median: (text: string, median: string) => t('{0}; median {1}', text, median),
  constant: (value: string) => t('Constant {0}', value),
  between: (min: string, max: string) => t('Between {0} and {1}', min, max),
  gaps: (text: string, seconds: number) => t('{0}; no data for {1} s', text, seconds),
  empty: {
    lagMs: t('No data yet.'),
    answerMs: t('No commands in these ten minutes.'),
    speedMmps: t('No data from the motor controller.'),
    batteryMv: t('No battery data.'),
  },
} as const;
