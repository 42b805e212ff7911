import { t } from '../../../i18n/shared-text.js';

/** What the tour of the commissioning says while it does the real thing. */
export const TOUR_TEXTS = {
  driving: t`The wheels turn now`,
  done: (distance: string) => t`Finished. The controller reports ${distance}.`,
  notDone: (why: string) => t`It did not work: ${why}`,
  refused: (why: string) => t`Refused, as it must be: ${why}`,
  notRefused: t`It was not refused. Stopped. Look at the limits in the settings before you go on.`,
  press: t`Press the button on the cart`,
  pressed: t`Seen. Release the button, and reset the stop on the cart or with Reset at the top`,
  released: t`Seen: pressed, and released again.`,
  pull: t`The wheels turn. Pull the plug of the serial line now`,
  pulled: t`Seen: the line is gone. Put the plug back`,
  neverPulled: t`The wheels stopped at the end of their way, and the plug was not pulled. Start once more.`,
  back: (way: string) => t`Seen: the line is back. ${way}`,
  rolled: (mm: number, mostMm: number) =>
    mm <= mostMm
      ? t`The wheels went on for ${mm} mm, at most ${mostMm} mm are allowed.`
      : t`The wheels went on for ${mm} mm: more than the ${mostMm} mm that are allowed.`,
  notCounted: t`How far the wheels went on is not known: the controller counts anew. Say what you saw.`,
  brokerUp: (url: string) => t`Connected with ${url}.`,
  brokerDown: (why: string) => t`Not connected: ${why}`,
  noAnswer: t`no answer from the gateway`,
  noOrder: t`The units in the settings have no number that is small enough for this. Skip it, or choose others.`,
} as const;
