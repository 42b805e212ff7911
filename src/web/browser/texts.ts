import { ageText } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/shared-text.js';

/** What only the live pages say; what the server says as well is in `carts/labels/labels.ts`. */
export const TEXTS = {
  lost: (ms: number) =>
    t`Connection to the gateway lost ${ageText(Math.floor(ms / 1000) * 1000).replace(/[.,]0/, '')} ago. The cart stops by itself, at the end of its move at the latest. Trying again`,
  restarted: (time: string) =>
    t`The gateway was started again at ${time}. Commands from before have ended; nothing goes on by itself.`,
  stopsFor: (ms: number) =>
    t`Your session has expired, and this page shows nothing new. Stop and E-stop still work here for ${Math.max(1, Math.floor(ms / 60_000))} min.`,
  heard: (age: string) => t`heard ${age} ago`,
  lastKnown: (age: string) => t`Last known ${age} ago`,
  neverHeard: t`never heard`,
  stopSent: (what: string, time: string) => t`${what} confirmed at ${time}`,
  stopMissing: (what: string, time: string, carts: string) =>
    t`${what} at ${time}: not confirmed by ${carts}. Use the button on the cart.`,
  cannotReach: t`Cannot reach the cart from here: use the button on the cart`,
  cannotReachTrying: t`Cannot reach the cart from here: use the button on the cart. Still trying`,
  cart: (cartID: number) => t`Cart ${cartID}`,
  unknownCart: (cartID: number, selected: string) => t`Cart ${cartID} is unknown. ${selected} is selected.`,
  stop: t`Stop`,
  estop: t`E-stop`,
  holdReset: t`Hold Reset for a second, until the ring is full.`,
  confirmReset: t`Reset the emergency stop? The cart may be driven again after that.`,
  resetTaken: t`Reset taken. Nothing moves until the next command.`,
  sending: t`Sending`,
  noAnswer: t`No answer from the gateway. Whether the cart took the command is not known: look at the cart.`,
  refused: t`Not driven`,
  cannotMove: (why: string) => t`Locked. ${why}`,
  settingsChanged: t`The settings have changed: load the page again`,
  saved: (count: number) =>
    count === 1 ? t`Saved. 1 setting has changed.` : t`Saved. ${count} settings have changed.`,
  restartNeeded: (sections: string) => t`Takes effect at the next start: ${sections}.`,
  notSaved: t`Not saved. Nothing has changed.`,
  confirmed: t`Confirmed. The change stays.`,
  rolledBack: t`Rolled back. Load the page again to see the settings.`,
  trialOver: t`The change of the settings is no longer on trial: confirmed by somebody, or rolled back. Load the page again to see the settings.`,
  trialUnsure: t`No answer from the gateway. As long as nobody confirms the change, it is rolled back.`,
  saveUnsure: t`No answer from the gateway. Load the page again to see what is stored.`,
  changes: (count: number) =>
    count === 0 ? t`No changes` : count === 1 ? t`1 change is not saved` : t`${count} changes are not saved`,
  badJson: t`is not valid JSON`,
  testing: t`Connecting`,
  testOk: (ms: number) => t`Connected in ${Math.round(ms)} ms. These values work; they are not saved yet.`,
  testBad: (reason: string) => t`No connection: ${reason}`,
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
  square: (metres: string) => t`One square is ${metres}. Counted from where the cart was switched on.`,
  ends: (parts: string) => t`Ends ${parts}`,
  staysPut: t`Distance and turn are 0: this is a stop`,
  hand: {
    noLine: t`No connection for driving by hand`,
    lineLost: t`What was driven by hand stops by itself within half a second. Trying to connect again`,
    free: t`Nobody drives by hand`,
    youHold: t`You have the controls`,
    youDrive: t`You drive`,
    holds: (name: string) => t`${name} has the controls`,
    drives: (name: string) => t`${name} drives`,
    asks: (name: string) => t`${name} asks for the controls. Who has not driven for 5 s gives way.`,
    take: t`Take the controls`,
    giveUp: t`Give the controls up`,
    ask: t`Ask for the controls`,
    withdraw: t`Ask no more`,
    onlyOwn: (name: string) => t`By hand only ${name || t('the cart of this gateway')} can be driven`,
    most: (speedMmps: number, turnDegps: number) =>
      t`Up to ${decimal(speedMmps / 1000, 2)} m/s and ${turnDegps}° a second: it stands 0.5 s after the last word. Stronger braking in the settings allows more.`,
    lease: (number: number, roundTripMs: number | undefined) =>
      roundTripMs === undefined ? t`Lease ${number}` : t`Lease ${number}, ${roundTripMs} ms there and back`,
  },
  sketch: t`A sketch: the true curve depends on the wheelbase`,
} as const;
