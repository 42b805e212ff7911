import { ageText } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/shared-text.js';

/** Strings that the server also needs are in `console/labels`. */
export const TEXTS = {
  lost: (ms: number) =>
    t(
      'Connection to the gateway lost {0} ago. The cart stops by itself, no later than the end of its current move. Reconnecting',
      ageText(Math.floor(ms / 1000) * 1000).replace(/[.,]0/, ''),
    ),
  restarted: (time: string) =>
    t('The gateway restarted at {0}. Earlier commands have ended and will not be resumed.', time),
  stopsFor: (ms: number) =>
    t(
      'Your session has expired and this page no longer updates. Stop and Stop all still work here for {0} min.',
      Math.max(1, Math.floor(ms / 60_000)),
    ),
  lastUpdate: (age: string) => t('Last update {0} ago', age),
  lastKnown: (age: string) => t('Status from {0} ago', age),
  noDataYet: t('No data received yet'),
  estopPressed: t('Stop all pressed, waiting for confirmation'),
  stopSent: (carts: string, time: string) => t('Stop confirmed by {0} at {1}', carts, time),
  stopAllSent: (time: string) => t('Stop all confirmed at {0}', time),
  stopMissing: (what: string, time: string, carts: string) =>
    t('{0} NOT confirmed by {1}: use the button on the cart ({2})', what, carts, time),
  stopNotSent: (what: string, why: string) => t('{0} NOT sent: use the button on the cart. {1}', what, why),
  stopUnanswered: (what: string) =>
    t('{0} NOT confirmed: use the button on the cart. The gateway does not respond.', what),
  stopUnansweredTrying: (what: string) =>
    t('{0} NOT confirmed: use the button on the cart. The gateway does not respond. Retrying', what),
  stopUnansweredBefore: (what: string, time: string) =>
    t('{0} NOT confirmed at {1}. The gateway responds again: press {2} again.', what, time, what),
  cannotReach: t('Cannot reach the cart from here: use the button on the cart'),
  cart: (cartID: number) => t('Cart {0}', cartID),
  unknownCart: (cartID: number, selected: string) =>
    t('Cart {0} is unknown. {1} is selected.', cartID, selected),
  stop: t('Stop'),
  drive: t('Drive'),
  holdToDrive: t('Hold to drive'),
  stopAll: t('Stop all'),
  holdReset: t('Press and hold Reset until the ring is full.'),
  replace: t('Replace'),
  holdToReplace: t('Hold to replace'),
  queue: t('Add to queue'),
  holdToQueue: t('Hold to queue'),
  holdResetAll: t('Press and hold Reset all until the ring is full.'),
  confirmReset: t('Reset the cart? It can then be driven again.'),
  confirmResetAll: t('Reset all carts? They can then be driven again.'),
  resetTaken: (cart: string) => t('Reset: {0}. Stationary until the next command.', cart),
  resetAllTaken: (carts: string) => t('Reset: {0}. All stationary until the next command.', carts),
  enterMotion: t('Enter a distance or an angle.'),
  holdPreset: t('Press and hold the button until the ring is full.'),
  confirmPreset: t('Send this command to the cart?'),
  sending: t('Sending'),
  noAnswer: t('No response from the gateway. The cart may have received the command: check the cart.'),
  refused: t('Command rejected'),
  validRange: (label: string, min: string, max: string) => t('{0}: {1} to {2}', label, min, max),
  noDecimals: (label: string) => t('{0}: whole numbers only', label),
  cannotMove: (why: string) => t('Locked. {0}', why),
  settingsChanged: t('The settings have changed: reload the page'),
  trialUndone: t('The gateway restarted and rolled the unconfirmed changes back.'),
  trialUnsure: t('No response from the gateway. If the changes are not confirmed, they will be rolled back.'),
  overrideBy: (name: string, isYou: boolean) =>
    isYou ? t('Zones are off for {0}:', name) : t('Zones are off for {0}, not for you:', name),
  overrideLeft: (ms: number) => `${Math.ceil(ms / 1000)} s`,
  overrideUnsure: t('No response from the gateway. The zones may still be off.'),
  cameraStarting: t('The camera is starting'),
  cameraNoAnswer: t('No response from the gateway. Retrying'),
  cameraOld: (age: string) => t('This image is {0} old.', age),
  cameraLive: (rate: number, ageMs: number) => t('{0} images/s, {1} ms old', rate, Math.round(ageMs)),
  square: (metres: string) =>
    t(
      "Each square is {0} wide. The cross is the cart's position at power-on; up is its heading at that time.",
      metres,
    ),
  ends: (parts: string) => t('End position: {0}', parts),
  hand: {
    noLine: t('No connection for manual drive'),
    lineLost: t('A manually driven cart stops by itself within 0.5 s. Reconnecting'),
    free: t('No one has control'),
    youHold: t('You have control'),
    youDrive: t('You are driving'),
    holds: (name: string) => t('{0} has control', name),
    drives: (name: string) => t('{0} is driving', name),
    asks: (name: string) =>
      t('{0} is requesting control. Your control ends if you do not drive for 5 s.', name),
    stops: (distance: string) => t('Stops within {0}', distance),
    gamepad: t('Gamepad connected'),
    take: t('Take control'),
    giveUp: t('Release control'),
    takeOver: t('Take over control'),
    ask: t('Request control'),
    withdraw: t('Cancel request'),
    passesToYou: (holder: string) => t('Control passes to you when {0} has not driven for 5 s.', holder),
    passesTo: (name: string, holder: string) =>
      t('{0} gets control first, when {1} has not driven for 5 s.', name, holder),
    onlyOwn: (name: string) => t('Manual drive is available only for {0}', name || t("this gateway's cart")),
    most: (speedMmps: number, turnDegps: number) =>
      t(
        'Maximum {0} m/s and {1}°/s, so that the cart stops within 0.5 s of losing contact. To raise these limits, increase the deceleration in the settings.',
        decimal(speedMmps / 1000, 2),
        turnDegps,
      ),
    lease: (number: number, roundTripMs: number | undefined) =>
      roundTripMs === undefined
        ? t('Control lease {0}', number)
        : t('Control lease {0}, round trip {1} ms', number, roundTripMs),
  },
  sketch: t('Sketch only: the actual curve depends on the wheelbase'),
} as const;
