import { ageText } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/shared-text.js';

/** Texts of the live pages. Texts that the server needs as well are in `carts/labels`. */
export const TEXTS = {
  lost: (ms: number) =>
    t`Connection to the gateway lost ${ageText(Math.floor(ms / 1000) * 1000).replace(/[.,]0/, '')} ago. The cart stops by itself, at the latest when its current move ends. Reconnecting`,
  restarted: (time: string) =>
    t`The gateway restarted at ${time}. Earlier commands have ended; none is resumed.`,
  stopsFor: (ms: number) =>
    t`Your session has expired and this page no longer updates. Stop and E-stop still work here for ${Math.max(1, Math.floor(ms / 60_000))} min.`,
  lastUpdate: (age: string) => t`Last update ${age} ago`,
  lastKnown: (age: string) => t`Last known ${age} ago`,
  noDataYet: t`No data received yet`,
  stopSent: (what: string, time: string) => t`${what} confirmed at ${time}`,
  stopMissing: (what: string, time: string, carts: string) =>
    t`${what} at ${time}: not confirmed by ${carts}. Use the button on the cart.`,
  cannotReach: t`Cannot reach the cart from here: use the button on the cart`,
  cannotReachTrying: t`Cannot reach the cart from here: use the button on the cart. Retrying`,
  cart: (cartID: number) => t`Cart ${cartID}`,
  unknownCart: (cartID: number, selected: string) => t`Cart ${cartID} is unknown. ${selected} is selected.`,
  stop: t`Stop`,
  estop: t`E-stop`,
  holdReset: t`Press and hold Reset E-stop until the ring is full.`,
  confirmReset: t`Reset the E-stop? The cart can then be driven again.`,
  resetTaken: t`E-stop reset. The cart stays stationary until the next command.`,
  sending: t`Sending`,
  noAnswer: t`No response from the gateway. The cart may have received the command: check the cart.`,
  refused: t`Command rejected`,
  cannotMove: (why: string) => t`Locked. ${why}`,
  settingsChanged: t`The settings have changed: reload the page`,
  saved: (count: number) =>
    count === 1 ? t`Saved. 1 setting has changed.` : t`Saved. ${count} settings have changed.`,
  restartNeeded: (sections: string) => t`Takes effect after a restart: ${sections}.`,
  notSaved: t`Not saved. Nothing has changed.`,
  confirmed: t`Changes confirmed.`,
  rolledBack: t`Changes rolled back. Reload the page to see the current settings.`,
  trialOver: t`The changes of the settings have been confirmed or rolled back. Reload the page to see the current settings.`,
  trialUnsure: t`No response from the gateway. Unconfirmed changes are rolled back.`,
  saveUnsure: t`No response from the gateway. Reload the page to see the stored settings.`,
  changes: (count: number) =>
    count === 0 ? t`No changes` : count === 1 ? t`1 unsaved change` : t`${count} unsaved changes`,
  badJson: t`is not valid JSON`,
  testing: t`Connecting`,
  testOk: (ms: number) => t`Connected in ${Math.round(ms)} ms. These values work but have not been saved.`,
  testBad: (reason: string) => t`Connection failed: ${reason}`,
  cameraStarting: t`The camera is starting`,
  cameraNoAnswer: t`No response from the gateway. Retrying`,
  cameraOld: (age: string) => t`This image is ${age} old.`,
  cameraLive: (rate: number, ageMs: number) => t`${rate} images/s, ${Math.round(ageMs)} ms old`,
  takingPhoto: t`Taking a photo`,
  photoTaken: t`Photo taken.`,
  photoUnsure: t`No response from the gateway. If the photo was taken, it appears after you reload the page.`,
  photoDeleted: t`Photo deleted.`,
  photoOf: (when: string) => t`Photo of ${when}`,
  holdDelete: t`Press and hold Delete until the ring is full.`,
  confirmDelete: t`Delete this photo? This cannot be undone.`,
  square: (metres: string) => t`One square is ${metres}. The origin is the position at power-on.`,
  ends: (parts: string) => t`Ends ${parts}`,
  staysPut: t`Distance and turn are 0: this is a stop`,
  hand: {
    noLine: t`No connection for manual drive`,
    lineLost: t`A cart under manual drive stops by itself within 0.5 s. Reconnecting`,
    free: t`No one has control`,
    youHold: t`You have control`,
    youDrive: t`You are driving`,
    holds: (name: string) => t`${name} has control`,
    drives: (name: string) => t`${name} is driving`,
    asks: (name: string) => t`${name} requests control. You lose control after 5 s without driving.`,
    take: t`Take control`,
    giveUp: t`Release control`,
    ask: t`Request control`,
    withdraw: t`Cancel request`,
    onlyOwn: (name: string) => t`Manual drive is available only for ${name || t('the cart of this gateway')}`,
    most: (speedMmps: number, turnDegps: number) =>
      t`Up to ${decimal(speedMmps / 1000, 2)} m/s and ${turnDegps}°/s, so that the cart stops within 0.5 s of losing contact. Stronger braking in the settings raises the limit.`,
    lease: (number: number, roundTripMs: number | undefined) =>
      roundTripMs === undefined ? t`Lease ${number}` : t`Lease ${number}, round trip ${roundTripMs} ms`,
  },
  sketch: t`Sketch only: the actual curve depends on the wheelbase`,
} as const;
