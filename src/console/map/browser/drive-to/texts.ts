import type { MotionFault } from '../../../../beacons/positioning/drive-target.js';
import type { PlacementEnd } from '../../../../beacons/positioning/placed-cart.js';
import { metres } from '../../../../i18n/format.js';
import { decimal } from '../../../../i18n/language.js';
import { addTexts, t } from '../../../../i18n/shared-text.js';
import { LIVE_BEACON_TEXTS } from '../../../../locales/nl/beacons.js';

addTexts(LIVE_BEACON_TEXTS);

export const DRIVE_TO_TEXTS = {
  ready: (cart: string, maxMm: number) =>
    t`Tap the map to select a destination for ${cart}, at most ${metres(maxMm)} away.`,
  place: (cart: string) => t`Place ${cart}`,
  tapPosition: (cart: string) => t`Tap the position of ${cart}.`,
  tapExactPosition: (cart: string) => t`Tap the exact position of ${cart}.`,
  tapHeading: (cart: string) => t`Tap a point straight ahead of ${cart}, at least 1 m away.`,
  tooClose: t`Tap further from the cart.`,
  notPlaced: (cart: string) => t`To drive to a point, first place ${cart} on the map.`,
  inaccurate: (cart: string, withinM: number) =>
    t`To drive to a point, first place ${cart} on the map: its position from the beacons is accurate only to within ${metres(withinM * 1000)}.`,
  /** The map shows the cart, so the text must not claim that the cart is not on the map. */
  coarse: (cart: string) =>
    t`The position of ${cart} is too inaccurate to drive to a point. Drive until the camera sees a marker, or place ${cart} on the map.`,
  moved: (cart: string) => t`${cart} has moved. Tap the map again.`,
  ended: (cart: string, end: PlacementEnd) => t`Place ${cart} on the map again: ${ENDS[end]}.`,
  isMoving: (cart: string) => t`${cart} is moving`,
  controlledBy: (name: string) => t`${name} has control`,
  onlyOwn: (cart: string) => t`only ${cart || t`this gateway's cart`} can drive to a point`,
  noOdometry: (cart: string) => t`${cart} does not measure its movement`,
  presetKeys: t`the settings allow only preset distances and angles`,
  steered: t`the cart cannot turn on the spot`,
  locked: (reason: string) => t`Driving to a point is blocked: ${reason}.`.replace('..', '.'),
  fault: ({ fault, amount, limit }: MotionFault) => {
    const distance = metres(amount * 1000);
    if (fault === 'far')
      return t`This point is ${distance} away; one command drives at most ${metres(limit * 1000)}.`;
    if (fault === 'near') return t`This point is ${distance} away; the minimum is ${metres(limit * 1000)}.`;
    return t`This point requires a turn of ${decimal(Math.abs(amount), 0)}°; one command turns at most ${limit}°.`;
  },
  confirm: t`Send this command to the cart?`,
} as const;

const ENDS: Readonly<Record<PlacementEnd, string>> = {
  reconnected: t`the connection to the motor controller was interrupted`,
  stopped: t`the cart was stopped with Stop all or the E-stop`,
  silent: t`the page received no data for 10 s`,
  jumped: t`the odometry jumped`,
  travelled: t`the cart has driven 20 m or turned 720°, so its position is no longer accurate`,
};
