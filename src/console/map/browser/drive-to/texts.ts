import type { MotionFault, PlacementEnd } from '../../../../beacons/pure.js';
import { metres } from '../../../../i18n/format.js';
import { decimal } from '../../../../i18n/language.js';
import { withTexts } from '../../../../i18n/shared-text.js';
import { LIVE_BEACON_TEXTS } from '../../../../locales/nl/beacons.js';

const t = withTexts(LIVE_BEACON_TEXTS);

export const DRIVE_TO_TEXTS = {
  ready: (cart: string, maxMm: number) =>
    t('Tap the map to select a destination for {0}, at most {1} away.', cart, metres(maxMm)),
  place: (cart: string) => t('Place {0}', cart),
  tapPosition: (cart: string) => t('Tap the position of {0}.', cart),
  tapExactPosition: (cart: string) => t('Tap the exact position of {0}.', cart),
  tapHeading: (cart: string) => t('Tap a point straight ahead of {0}, at least 1 m away.', cart),
  tooClose: t('Tap further from the cart.'),
  notPlaced: (cart: string) => t('To drive to a point, first place {0} on the map.', cart),
  inaccurate: (cart: string, withinM: number) =>
    t(
      'To drive to a point, first place {0} on the map: its position from the beacons is accurate only to within {1}.',
      cart,
      metres(withinM * 1000),
    ),
  /** The map shows the cart, so the text must not claim that the cart is not on the map. */
  coarse: (cart: string) =>
    t(
      'The position of {0} is too inaccurate to drive to a point. Drive until the camera sees a marker, or place {1} on the map.',
      cart,
      cart,
    ),
  moved: (cart: string) => t('{0} has moved. Tap the map again.', cart),
  ended: (cart: string, end: PlacementEnd) => t('Place {0} on the map again: {1}.', cart, ENDS[end]),
  isMoving: (cart: string) => t('{0} is moving', cart),
  controlledBy: (name: string) => t('{0} has control', name),
  onlyOwn: (cart: string) => t('only {0} can drive to a point', cart || t("this gateway's cart")),
  noOdometry: (cart: string) => t('{0} does not measure its movement', cart),
  presetKeys: t('the settings allow only preset distances and angles'),
  steered: t('the cart cannot turn on the spot'),
  locked: (reason: string) => t('Driving to a point is blocked: {0}.', reason).replace('..', '.'),
  fault: ({ fault, amount, limit }: MotionFault) => {
    const distance = metres(amount * 1000);
    if (fault === 'far')
      return t('This point is {0} away; the maximum for one command is {1}.', distance, metres(limit * 1000));
    if (fault === 'near')
      return t('This point is {0} away; the minimum is {1}.', distance, metres(limit * 1000));
    return t(
      'This point requires a turn of {0}°; the maximum for one command is {1}°.',
      decimal(Math.abs(amount), 0),
      limit,
    );
  },
  confirm: t('Send this command to the cart?'),
} as const;

const ENDS: Readonly<Record<PlacementEnd, string>> = {
  reconnected: t('the connection to the motor controller was interrupted'),
  stopped: t('the cart was stopped with Stop all or the E-stop'),
  silent: t('the page received no data for 10 s'),
  jumped: t('the odometry jumped'),
  travelled: t('the cart has driven 20 m or turned 720°, so its position is no longer accurate'),
};
