import { ageText } from '../carts/words.js';

/** What only the live pages say; what the server says as well is in `carts/words.ts`. */
export const TEXTS = {
  lost: (ms: number) =>
    `Connection to the gateway lost ${ageText(Math.floor(ms / 1000) * 1000).replace('.0', '')} ago. The cart stops by itself, at the end of its move at the latest. Trying again`,
  restarted: (time: string) =>
    `The gateway was started again at ${time}. Commands from before have ended; nothing goes on by itself.`,
  heard: (age: string) => `heard ${age} ago`,
  neverHeard: 'never heard',
  stopSent: (what: string, time: string) => `${what} taken by the gateway at ${time}`,
  cannotReach: 'Cannot reach the cart from here: use the button on the cart',
  cannotReachTrying: 'Cannot reach the cart from here: use the button on the cart. Still trying',
  stop: 'Stop',
  estop: 'E-stop',
  holdReset: 'Hold Reset for a second, until the ring is full.',
  confirmReset: 'Reset the emergency stop? The cart may be driven again after that.',
  resetTaken: 'Reset taken. Nothing moves until the next command.',
  sending: 'Sending',
  noAnswer: 'No answer from the gateway. Whether the cart took the command is not known: look at the cart.',
  refused: 'Not driven',
  cannotMove: (why: string) => `Locked. ${why}`,
  saved: (count: number) => `Saved. ${count} ${count === 1 ? 'setting has' : 'settings have'} changed.`,
  restartNeeded: (sections: string) => `Takes effect at the next start: ${sections}.`,
  notSaved: 'Not saved. Nothing has changed.',
  saveUnsure: 'No answer from the gateway. Load the page again to see what is stored.',
  changes: (count: number) =>
    count === 0 ? 'No changes' : `${count} ${count === 1 ? 'change is' : 'changes are'} not saved`,
  badJson: 'is not valid JSON',
  testing: 'Connecting',
  testOk: (ms: number) => `Connected in ${Math.round(ms)} ms. These values work; they are not saved yet.`,
  testBad: (reason: string) => `No connection: ${reason}`,
  cameraStarting: 'The camera is starting',
  cameraNoAnswer: 'No answer from the gateway. Trying again',
  cameraOld: (age: string) => `This picture is ${age} old.`,
  cameraLive: (rate: number, ageMs: number) => `${rate} a second, ${Math.round(ageMs)} ms old`,
  takingPhoto: 'Taking a photo',
  photoTaken: 'Photo taken.',
  photoUnsure:
    'No answer from the gateway. If the photo was taken, it is here after the page is loaded again.',
  photoDeleted: 'Photo deleted.',
  photoOf: (when: string) => `Photo of ${when}`,
  holdDelete: 'Hold Delete for a second, until the ring is full.',
  confirmDelete: 'Delete this photo? It cannot be brought back.',
  square: (metres: string) => `One square is ${metres}. Counted from where the cart was switched on.`,
  ends: (parts: string) => `Ends ${parts}`,
  staysPut: 'Distance and turn are 0: this is a stop',
  sketch: 'A sketch: the true curve depends on the wheelbase',
} as const;
