import { t } from '../../../i18n/shared-text.js';

/** Texts shown while a commissioning step is in progress. */
export const COMMISSIONING_TEXTS = {
  driving: t`The wheels are turning`,
  done: (distance: string) => t`Finished. The controller reports ${distance}.`,
  notDone: (why: string) => t`Step failed: ${why}`,
  refused: (why: string) => t`Rejected, as expected: ${why}`,
  notRefused: t`The command was not rejected, so the cart was stopped. Check the limits in the settings before you continue.`,
  press: t`Press the button on the cart`,
  pressed: t`E-stop detected. Release the button, then reset the E-stop on the cart or with Reset E-stop at the top of the page`,
  released: t`E-stop and reset detected.`,
  pull: t`The wheels are turning. Unplug the serial cable now`,
  pulled: t`Connection loss detected. Plug the cable back in`,
  neverPulled: t`The move ended before the cable was unplugged. Start again.`,
  back: (way: string) => t`Reconnected. ${way}`,
  rolled: (mm: number, maxMm: number) =>
    mm <= maxMm
      ? t`The wheels travelled ${mm} mm after the loss; ${maxMm} mm are allowed.`
      : t`The wheels travelled ${mm} mm after the loss, more than the ${maxMm} mm allowed.`,
  notCounted: t`The distance travelled after the loss is unknown, because the controller restarted its count. Answer from what you saw.`,
  brokerUp: (url: string) => t`Connected to ${url}.`,
  brokerDown: (why: string) => t`Not connected: ${why}`,
  noAnswer: t`no response from the gateway`,
  noOrder: t`No value in the configured units is small enough for this step. Skip the step, or choose other units.`,
} as const;
