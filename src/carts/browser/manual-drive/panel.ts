import { principalName, translated } from '../../../i18n/messages.js';
import { find, showText } from '../../../web/browser/dom.js';
import { lockedBecause } from '../../../web/browser/drive-lock.js';
import type { StateStore } from '../../../web/browser/live/state-store.js';
import { stopAlsoBy } from '../../../web/browser/stop.js';
import { TEXTS } from '../../../web/browser/texts.js';
import { stoppedSentence } from '../../labels/labels.js';
import type { DriveState } from '../../manual-drive/drive-messages.js';
import { DriveGamepad } from './gamepad.js';
import { HoldToRun } from './hold-to-run.js';
import { DriveKeys } from './keys.js';
import { DrivePad } from './pad.js';
import { DriveLine } from './socket.js';

const WORDS = TEXTS.hand;

/** Makes the panel for driving by hand live; where there is no pad, it only tells who drives. */
export function armHand(picture: StateStore): void {
  const pad = find('[data-pad]');
  const line = new DriveLine(() => {
    run.follow();
    draw();
  });
  const ownID = Number(document.body.dataset.ownCartId);
  const locked = (): string => {
    if (picture.selectedID !== ownID) return WORDS.onlyOwn(picture.carts.get(ownID)?.name ?? '');
    return lockedBecause(picture);
  };
  const run = new HoldToRun(line, locked, () => draw());
  const view = pad && new DrivePad(pad, run);
  const draw = (): void => {
    drawWords(line, locked());
    view?.draw(run.stick);
  };
  if (pad && view) armLosses(run, [view, new DriveKeys(pad, run), new DriveGamepad(run)]);
  armButtons(line);
  stopAlsoBy((kind, cartID) => line.say({ say: 'stop', kind, cartID }));
  picture.onDraw(draw);
  line.start();
}

/** Everything after which nobody can be sure that the driver still sees what he does. */
function armLosses(run: HoldToRun, controls: readonly { forget(): void }[]): void {
  const lose = (why: 'hidden' | 'blurred' | 'offline'): void => {
    run.lose(why);
    for (const control of controls) control.forget();
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') lose('hidden');
  });
  addEventListener('pagehide', () => lose('hidden'));
  addEventListener('blur', () => lose('blurred'));
  // Said while the connection is still there to say it on: it is armed before the line listens itself.
  addEventListener('offline', () => lose('offline'));
}

function armButtons(line: DriveLine): void {
  find('[data-hand-take]')?.addEventListener('click', () => {
    const { state } = line;
    if (!state) return;
    const wantsOut = state.lease > 0 || isAsking(state);
    line.say({ say: wantsOut ? 'leave' : 'take' });
  });
  find('[data-hand-over]')?.addEventListener('click', () => {
    line.say({ say: 'hand-over', lease: line.state?.lease ?? 0 });
  });
}

function drawWords(line: DriveLine, lock: string): void {
  const { state, roundTripMs } = line;
  showText(find('[data-hand-who]'), whoDrives(state));
  const asker = state && state.lease > 0 ? state.asking[0] : undefined;
  showText(find('[data-hand-asker]'), asker ? WORDS.asks(principalName(asker.name)) : '');
  find('[data-hand-over]')?.toggleAttribute('hidden', !asker);
  find('[data-hand-ask]')?.toggleAttribute('hidden', !asker);
  const isLocked = lock !== '' || !state || (state.driver !== null && !state.driver.isYou);
  find('[data-pad]')?.setAttribute('aria-disabled', String(isLocked));
  showText(find('[data-hand-lock]'), lock === '' ? '' : TEXTS.cannotMove(lock));
  showText(find('[data-hand-why]'), whyStopped(state));
  const take = find<HTMLButtonElement>('[data-hand-take]');
  if (take) {
    take.textContent = takeWords(state);
    take.disabled = !state || (lock !== '' && state.lease === 0 && !isAsking(state));
  }
  showText(find('[data-hand-most]'), state ? WORDS.most(state.most.speedMmps, state.most.turnDegps) : '');
  const isHolder = (state?.lease ?? 0) > 0;
  showText(
    find('[data-hand-trip]'),
    isHolder
      ? WORDS.lease(state?.lease ?? 0, roundTripMs === undefined ? undefined : Math.round(roundTripMs))
      : '',
  );
}

function isAsking({ asking }: DriveState): boolean {
  return asking.some(({ isYou }) => isYou);
}

function whoDrives(state: DriveState | undefined): string {
  if (!state) return WORDS.noLine;
  const { driver } = state;
  if (!driver) return WORDS.free;
  if (driver.isYou) return driver.isDriving ? WORDS.youDrive : WORDS.youHold;
  return driver.isDriving
    ? WORDS.drives(principalName(driver.name))
    : WORDS.holds(principalName(driver.name));
}

function whyStopped(state: DriveState | undefined): string {
  if (!state) return WORDS.lineLost;
  const { ended } = state;
  if (!ended || state.lease > 0) return '';
  return `${stoppedSentence(ended.text)}. ${translated(ended.hint)}`.trim();
}

function takeWords(state: DriveState | undefined): string {
  if (!state || state.driver === null) return WORDS.take;
  if (state.lease > 0) return WORDS.giveUp;
  return isAsking(state) ? WORDS.withdraw : WORDS.ask;
}
