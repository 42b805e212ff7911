import { t } from '../../i18n/live.js';

/** What the charts of the last ten minutes say. */
export const TREND_TEXTS = {
  seen: t`As of now`,
  unseen: t`No answer from the gateway: these are old`,
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
