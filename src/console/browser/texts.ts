import { ageText } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/shared-text.js';

/** Strings that the server also needs are in `console/labels`. */
export const TEXTS = {
  lost: (ms: number) =>
    t`Connection to the gateway lost ${ageText(Math.floor(ms / 1000) * 1000).replace(/[.,]0/, '')} ago. The cart stops by itself, no later than the end of its current move. Reconnecting`,
  restarted: (time: string) =>
    t`The gateway restarted at ${time}. Earlier commands have ended and will not be resumed.`,
  stopsFor: (ms: number) =>
    t`Your session has expired and this page no longer updates. Stop and Stop all still work here for ${Math.max(1, Math.floor(ms / 60_000))} min.`,
  lastUpdate: (age: string) => t`Last update ${age} ago`,
  lastKnown: (age: string) => t`Status from ${age} ago`,
  noDataYet: t`No data received yet`,
  estopPressed: t`Stop all pressed, waiting for confirmation`,
  stopSent: (carts: string, time: string) => t`Stop confirmed by ${carts} at ${time}`,
  stopAllSent: (time: string) => t`Stop all confirmed at ${time}`,
  stopMissing: (what: string, time: string, carts: string) =>
    t`${what} NOT confirmed by ${carts}: use the button on the cart (${time})`,
  stopNotSent: (what: string, why: string) => t`${what} NOT sent: use the button on the cart. ${why}`,
  stopUnanswered: (what: string) =>
    t`${what} NOT confirmed: use the button on the cart. The gateway does not respond.`,
  stopUnansweredTrying: (what: string) =>
    t`${what} NOT confirmed: use the button on the cart. The gateway does not respond. Retrying`,
  stopUnansweredBefore: (what: string, time: string) =>
    t`${what} NOT confirmed at ${time}. The gateway responds again: press ${what} again.`,
  cannotReach: t`Cannot reach the cart from here: use the button on the cart`,
  cart: (cartID: number) => t`Cart ${cartID}`,
  unknownCart: (cartID: number, selected: string) => t`Cart ${cartID} is unknown. ${selected} is selected.`,
  stop: t`Stop`,
  drive: t`Drive`,
  holdToDrive: t`Hold to drive`,
  stopAll: t`Stop all`,
  holdReset: t`Press and hold Reset until the ring is full.`,
  replace: t`Replace`,
  holdToReplace: t`Hold to replace`,
  queue: t`Add to queue`,
  holdToQueue: t`Hold to queue`,
  holdResetAll: t`Press and hold Reset all until the ring is full.`,
  confirmReset: t`Reset the cart? It can then be driven again.`,
  confirmResetAll: t`Reset all carts? They can then be driven again.`,
  resetTaken: (cart: string) => t`Reset: ${cart}. Stationary until the next command.`,
  resetAllTaken: (carts: string) => t`Reset: ${carts}. All stationary until the next command.`,
  enterMotion: t`Enter a distance or an angle.`,
  holdPreset: t`Press and hold the button until the ring is full.`,
  confirmPreset: t`Send this command to the cart?`,
  sending: t`Sending`,
  noAnswer: t`No response from the gateway. The cart may have received the command: check the cart.`,
  refused: t`Command rejected`,
  validRange: (label: string, min: string, max: string) => t`${label}: ${min} to ${max}`,
  noDecimals: (label: string) => t`${label}: whole numbers only`,
  cannotMove: (why: string) => t`Locked. ${why}`,
  settingsChanged: t`The settings have changed: reload the page`,
  trialUndone: t`The gateway restarted and rolled the unconfirmed changes back.`,
  trialUnsure: t`No response from the gateway. If the changes are not confirmed, they will be rolled back.`,
  cameraStarting: t`The camera is starting`,
  cameraNoAnswer: t`No response from the gateway. Retrying`,
  cameraOld: (age: string) => t`This image is ${age} old.`,
  cameraLive: (rate: number, ageMs: number) => t`${rate} images/s, ${Math.round(ageMs)} ms old`,
  square: (metres: string) =>
    t`Each square is ${metres} wide. The cross is the cart's position at power-on; up is its heading at that time.`,
  ends: (parts: string) => t`End position: ${parts}`,
  hand: {
    noLine: t`No connection for manual drive`,
    lineLost: t`A manually driven cart stops by itself within 0.5 s. Reconnecting`,
    free: t`No one has control`,
    youHold: t`You have control`,
    youDrive: t`You are driving`,
    holds: (name: string) => t`${name} has control`,
    drives: (name: string) => t`${name} is driving`,
    asks: (name: string) => t`${name} is requesting control. Your control ends if you do not drive for 5 s.`,
    stops: (distance: string) => t`Stops within ${distance}`,
    gamepad: t`Gamepad connected`,
    take: t`Take control`,
    giveUp: t`Release control`,
    takeOver: t`Take over control`,
    ask: t`Request control`,
    withdraw: t`Cancel request`,
    passesToYou: (holder: string) => t`Control passes to you when ${holder} has not driven for 5 s.`,
    passesTo: (name: string, holder: string) =>
      t`Control passes to ${name} first, when ${holder} has not driven for 5 s.`,
    onlyOwn: (name: string) => t`Manual drive is available only for ${name || t`this gateway's cart`}`,
    most: (speedMmps: number, turnDegps: number) =>
      t`Maximum ${decimal(speedMmps / 1000, 2)} m/s and ${turnDegps}°/s, so that the cart stops within 0.5 s of losing contact. To raise these limits, increase the deceleration in the settings.`,
    lease: (number: number, roundTripMs: number | undefined) =>
      roundTripMs === undefined
        ? t`Control lease ${number}`
        : t`Control lease ${number}, round trip ${roundTripMs} ms`,
  },
  sketch: t`Sketch only: the actual curve depends on the wheelbase`,
} as const;
