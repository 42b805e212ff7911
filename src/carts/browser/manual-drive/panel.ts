import { upperFirst } from '../../../i18n/format.js';
import { principalName, translated } from '../../../i18n/messages.js';
import { driveLockReason } from '../../../web/browser/commands/drive-lock.js';
import { find, setAttribute, showText } from '../../../web/browser/dom.js';
import type { StateStore } from '../../../web/browser/live/state-store.js';
import { addStopChannel } from '../../../web/browser/stop.js';
import { TEXTS } from '../../../web/browser/texts.js';
import { stoppedSentence } from '../../labels/labels.js';
import type { DriveState } from '../../manual-drive/drive-messages.js';
import { DriveGamepad } from './gamepad.js';
import { HoldToRun } from './hold-to-run.js';
import { DriveKeys } from './keys.js';
import { DrivePad } from './pad.js';
import { DriveConnection } from './socket.js';
import { SpeedChoice } from './speed-choice.js';
import { WakeLock } from './wake-lock.js';

const MANUAL_TEXTS = TEXTS.hand;

/** If the page has no drive pad, the panel shows only who is driving. */
export function initManualDrive(store: StateStore): void {
  const pad = find('[data-pad]');
  const connection = new DriveConnection(() => {
    run.follow();
    draw();
  });
  const isOwn = (): boolean => store.selectedID === store.ownID;
  const onlyOwn = (): string => (isOwn() ? '' : MANUAL_TEXTS.onlyOwn(store.own?.name ?? ''));
  const locked = (): string => onlyOwn() || driveLockReason(store);
  const speed = new SpeedChoice(() => draw());
  const wakeLock = new WakeLock();
  const run = new HoldToRun({
    connection,
    locked,
    limits: (most) => speed.limits(most),
    onChange: () => draw(),
  });
  const view = pad && new DrivePad(pad, run);
  const gamepad = pad && new DriveGamepad(run, () => draw());
  const draw = (): void => {
    const { state } = connection;
    drawTexts(knownState(connection, store), connection.roundTripMs, locked(), onlyOwn());
    speed.draw(isOwn() ? state?.most : undefined);
    view?.draw(run.stick);
    showText(find('[data-gamepad]'), gamepad?.isConnected ? MANUAL_TEXTS.gamepad : '');
    wakeLock.keep((state?.lease ?? 0) > 0);
  };
  if (pad && view && gamepad) initLossDetection(run, [view, new DriveKeys(pad, run), gamepad]);
  initButtons(connection);
  addStopChannel((kind, cartID, pressId) => connection.send({ say: 'stop', kind, cartID, pressId }));
  store.onDraw(draw);
  connection.start();
}

/** The operator might not see the cart when the page is hidden, loses focus or goes offline. */
function initLossDetection(run: HoldToRun, controls: readonly { forget(): void }[]): void {
  const lose = (why: 'hidden' | 'blurred' | 'offline'): void => {
    run.lose(why);
    for (const control of controls) control.forget();
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') lose('hidden');
  });
  addEventListener('pagehide', () => lose('hidden'));
  addEventListener('blur', () => lose('blurred'));
  // Registered before the connection's `offline` listener, which closes the connection.
  addEventListener('offline', () => lose('offline'));
}

function initButtons(connection: DriveConnection): void {
  find('[data-hand-take]')?.addEventListener('click', () => {
    const { state } = connection;
    if (!state) return;
    const wantsOut = state.lease > 0 || isAsking(state);
    connection.send({ say: wantsOut ? 'leave' : 'take' });
  });
  find('[data-hand-over]')?.addEventListener('click', () => {
    connection.send({ say: 'hand-over', lease: connection.state?.lease ?? 0 });
  });
}

/**
 * Undefined if the state may be outdated: only the lease holder receives states regularly, so for other operators
 * a state is as old as the events.
 */
function knownState({ state }: DriveConnection, store: StateStore): DriveState | undefined {
  return state && (state.lease > 0 || store.lostForMs() === 0) ? state : undefined;
}

/** @param note the part of the reason `lock` that neither the status line nor the command form states. */
function drawTexts(
  state: DriveState | undefined,
  roundTripMs: number | undefined,
  lock: string,
  note: string,
): void {
  showText(find('[data-hand-who]'), driverText(state));
  find('[data-hand-who]')?.toggleAttribute('data-free', state?.driver === null);
  const requester = state && state.lease > 0 ? state.asking[0] : undefined;
  showText(find('[data-hand-asker]'), requester ? MANUAL_TEXTS.asks(principalName(requester.name)) : '');
  find('[data-hand-over]')?.toggleAttribute('hidden', !requester);
  find('[data-hand-ask]')?.toggleAttribute('hidden', !requester);
  const isLocked = lock !== '' || !state || (state.driver !== null && !state.driver.isYou);
  setAttribute(find('[data-pad]'), 'aria-disabled', String(isLocked));
  showText(find('[data-hand-lock]'), note === '' ? '' : TEXTS.cannotMove(note));
  showText(find('[data-hand-why]'), lock !== '' && state ? '' : endedText(state));
  const take = find<HTMLButtonElement>('[data-hand-take]');
  if (take) {
    showText(take, takeButtonText(state));
    take.disabled = !state || (lock !== '' && state.lease === 0 && !isAsking(state));
  }
  showText(
    find('[data-hand-most]'),
    state ? MANUAL_TEXTS.most(state.most.speedMmps, state.most.turnDegps) : '',
  );
  const isHolder = (state?.lease ?? 0) > 0;
  showText(
    find('[data-hand-trip]'),
    isHolder
      ? MANUAL_TEXTS.lease(state?.lease ?? 0, roundTripMs === undefined ? undefined : Math.round(roundTripMs))
      : '',
  );
}

function isAsking({ asking }: DriveState): boolean {
  return asking.some(({ isYou }) => isYou);
}

function driverText(state: DriveState | undefined): string {
  if (!state) return MANUAL_TEXTS.noLine;
  const { driver } = state;
  if (!driver) return MANUAL_TEXTS.free;
  if (driver.isYou) return driver.isDriving ? MANUAL_TEXTS.youDrive : MANUAL_TEXTS.youHold;
  return driver.isDriving
    ? MANUAL_TEXTS.drives(principalName(driver.name))
    : MANUAL_TEXTS.holds(principalName(driver.name));
}

function endedText(state: DriveState | undefined): string {
  if (!state) return MANUAL_TEXTS.lineLost;
  const { ended } = state;
  if (!ended || state.lease > 0) return '';
  const { text, hint, stopped } = ended;
  return `${stopped ? stoppedSentence(text) : upperFirst(translated(text))}. ${translated(hint)}`.trim();
}

function takeButtonText(state: DriveState | undefined): string {
  if (!state || state.driver === null) return MANUAL_TEXTS.take;
  if (state.lease > 0) return MANUAL_TEXTS.giveUp;
  return isAsking(state) ? MANUAL_TEXTS.withdraw : MANUAL_TEXTS.ask;
}
