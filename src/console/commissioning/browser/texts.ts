import { withTexts } from '../../../i18n/shared-text.js';
import { LIVE_COMMISSIONING_TEXTS } from '../../../locales/nl/carts/commissioning.js';

const t = withTexts(LIVE_COMMISSIONING_TEXTS);

export const COMMISSIONING_TEXTS = {
  driving: t('The wheels are turning'),
  done: (distance: string) => t('Finished. The controller reports a movement of {0}.', distance),
  notDone: (why: string) => t('Step failed: {0}', why),
  refused: (why: string) => t('Rejected, as expected: {0}', why),
  notRefused: t(
    'The command was not rejected, so the cart was stopped. Check the limits in the settings before you continue.',
  ),
  press: t('Press the button on the cart'),
  pressed: t(
    'E-stop detected. Release the button, then press the reset button on the cart or hold Reset at the top of the page',
  ),
  released: t('E-stop and reset detected.'),
  pull: t('The wheels are turning. Unplug the serial cable now'),
  pulled: t('Connection loss detected. Plug the cable back in'),
  neverPulled: t('The move ended before the cable was unplugged. Start again.'),
  back: (way: string) => t('Reconnected. {0}', way),
  rolled: (mm: number, maxMm: number) =>
    mm <= maxMm
      ? t('The wheels travelled {0} mm after the connection was lost; the limit is {1} mm.', mm, maxMm)
      : t(
          'The wheels travelled {0} mm after the connection was lost; this exceeds the limit of {1} mm.',
          mm,
          maxMm,
        ),
  notCounted: t(
    'The distance travelled after the connection was lost is unknown because the controller reset its distance counter. Base your answer on what you saw.',
  ),
  brokerUp: (url: string) => t('Connected to {0}.', url),
  brokerDown: (why: string) => t('Not connected: {0}', why),
  noAnswer: t('no response from the gateway'),
  noOrder: t(
    'No value in the configured units is small enough for this step. Skip the step, or choose different units in the settings.',
  ),
} as const;
