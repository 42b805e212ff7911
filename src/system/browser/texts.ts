import { t } from '../../i18n/shared-text.js';

/** Texts of the System page. */
export const SYSTEM_TEXTS = {
  seen: t`Up to date`,
  unseen: t`No response from the gateway: values are out of date`,
  lines: (count: number) => (count === 0 ? t`No line fits` : count === 1 ? t`1 line` : t`${count} lines`),
  copying: t`Copying and reading the copy`,
  holdRestore: t`Hold for a second, until the ring is full.`,
  confirmRestore: t`Put this backup in the place of the database at the next start?`,
} as const;

/** Texts of its charts. */
export const TREND_TEXTS = {
  seen: t`Up to date`,
  unseen: t`No response from the gateway: values are out of date`,
  now: (time: string) => t`${time}, now`,
  notMeasured: t`not measured`,
  noCommand: t`no command`,
  most: (value: string, time: string) => t`At most ${value}, at ${time}`,
  usually: (words: string, median: string) => t`${words}; half the time less than ${median}`,
  always: (value: string) => t`Always ${value}`,
  between: (least: string, most: string) => t`Between ${least} and ${most}`,
  gaps: (words: string, seconds: number) => t`${words}; not measured for ${seconds} s`,
  none: {
    lagMs: t`Nothing measured yet.`,
    answerMs: t`The controller was sent no command.`,
    speedMmps: t`Nothing heard from the controller.`,
    batteryMv: t`Nothing heard of the battery.`,
  },
} as const;
