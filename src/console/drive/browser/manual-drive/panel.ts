import { type DriveState, type HolderView, type ManualLimits, stoppingMm } from '../../../../carts/pure.js';
import { metres } from '../../../../i18n/format.js';
import { begun, principalName, translated } from '../../../../i18n/messages.js';
import type { Text } from '../../../../shared/messages/message.js';
import { driveLockReason } from '../../../browser/commands/drive-lock.js';
import { all, find, setAttribute, showText } from '../../../browser/dom.js';
import type { StateStore } from '../../../browser/live/state-store.js';
import { addStopChannel } from '../../../browser/stop.js';
import { TEXTS } from '../../../browser/texts.js';
import { controllerOf } from '../../../labels/cart-rows.js';
import { stoppedSentence } from '../../../labels/labels.js';
import { remember, remembered } from '../cockpit/remembered.js';
import { ZONE_BLOCKED, ZonesOff } from '../zones-off.js';
import { DriveGamepad } from './gamepad.js';
import { HoldToRun } from './hold-to-run.js';
import { DriveKeys } from './keys.js';
import { DrivePad } from './pad.js';
import { DriveConnection } from './socket.js';

/**
 * Keeps the screen on while the operator has control and the page is visible. If the browser does not support
 * wake locks or denies the request, the screen turns off as usual.
 */
class WakeLock {
  #lock: Promise<WakeLockSentinel | undefined> | undefined;
  #isWanted = false;

  constructor() {
    document.addEventListener('visibilitychange', () => this.#update());
  }

  keep(isWanted: boolean): void {
    if (this.#isWanted === isWanted) return;
    this.#isWanted = isWanted;
    this.#update();
  }

  #update(): void {
    const isNeeded = this.#isWanted && document.visibilityState === 'visible';
    if (isNeeded && !this.#lock) this.#lock = request();
    if (isNeeded || !this.#lock) return;
    void this.#lock.then((lock) => lock?.release()).catch(() => undefined);
    this.#lock = undefined;
  }
}

/** Resolves with undefined if the browser does not support wake locks or denies the request. */
async function request(): Promise<WakeLockSentinel | undefined> {
  // `wakeLock` is missing if the page was opened over plain HTTP.
  const { wakeLock } = navigator as Partial<Pick<Navigator, 'wakeLock'>>;
  return wakeLock?.request('screen').catch(() => undefined);
}

const KEY = 'manual-speed';

/** The selected percentage of the manual speed limit; the browser stores the selection. */
class SpeedChoice {
  #percent = 0;

  constructor(onChange: () => void) {
    const stored = remembered(KEY);
    for (const input of all<HTMLInputElement>('[data-speed-choice] input')) {
      if (stored === input.value) input.checked = true;
      if (input.checked) this.#percent = Number(input.value);
      input.addEventListener('change', () => {
        this.#percent = Number(input.value);
        remember(KEY, input.value);
        onChange();
      });
    }
  }

  /** Returns the limits at the selected speed, which never exceed `most`. */
  limits(most: ManualLimits): ManualLimits {
    return scaledLimits(most, this.#percent);
  }

  /** @param most undefined while the limits are unknown or manual drive is not available. */
  draw(most: ManualLimits | undefined): void {
    find('[data-speed-choice]')?.toggleAttribute('disabled', most === undefined);
    for (const speed of all('[data-speed-of]')) {
      const limits = most && scaledLimits(most, Number(speed.dataset.speedOf));
      showText(speed, limits ? metres(limits.speedMmps).replace(/ m$/, '') : '–');
    }
    const note = find('[data-speed-note]');
    if (!most) return showText(note, '');
    const { speedMmps, decelMmps2 } = this.limits(most);
    // Rounded up to a whole centimetre, so that the displayed distance is never too short.
    const stops = Math.ceil(stoppingMm(speedMmps, decelMmps2) / 10) * 10;
    showText(note, TEXTS.hand.stops(metres(stops)));
  }
}

const MANUAL_TEXTS = TEXTS.hand;

/**
 * If the page has no drive pad, the panel shows only who is driving.
 * @returns a function that returns the user who has manual control of a cart, or undefined.
 */
export function initManualDrive(store: StateStore): (cartID: number) => string | undefined {
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
  const zonesOff = new ZonesOff();
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
    const { selected } = store;
    drawTexts({
      state: knownState(connection, store),
      isLoggedOut: store.loggedOut,
      roundTripMs: connection.roundTripMs,
      isOwn: isOwn(),
      commander: selected ? controllerOf(selected, store.commandOf(selected)) : '',
      lock: locked(),
      note: onlyOwn(),
    });
    speed.draw(isOwn() ? state?.most : undefined);
    view?.draw(run.stick);
    showText(find('[data-gamepad]'), gamepad?.isConnected ? MANUAL_TEXTS.gamepad : '');
    zonesOff.draw(store, state?.lease === 0 && state.ended?.code === ZONE_BLOCKED);
    wakeLock.keep((state?.lease ?? 0) > 0);
  };
  if (pad && view && gamepad) initLossDetection(run, [view, new DriveKeys(pad, run), gamepad]);
  initButtons(connection);
  addStopChannel((kind, cartID, pressId) => connection.send({ say: 'stop', kind, cartID, pressId }));
  store.onDraw(() => {
    connection.follow(store.loggedOut);
    draw();
  });
  connection.start();
  return (cartID) => (cartID === store.ownID ? knownState(connection, store)?.driver?.name : undefined);
}

/**
 * Ends manual drive when the page is hidden, loses focus or goes offline, because the operator might then not see the
 * cart.
 */
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
  // Must be registered before the connection's `offline` listener, which closes the connection.
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
 * Returns undefined if the state may be outdated. Only the lease holder receives states regularly, so for other
 * operators, a state is as old as the events.
 */
function knownState({ state }: DriveConnection, store: StateStore): DriveState | undefined {
  return state && (state.lease > 0 || store.lostForMs() === 0) ? state : undefined;
}

interface Shown {
  state: DriveState | undefined;
  isLoggedOut: boolean;
  roundTripMs: number | undefined;
  /** True if the selected cart is the one that `state` refers to. */
  isOwn: boolean;
  /** The user or API key that controls the selected cart with commands; empty if no one does. */
  commander: Text;
  /** Why the cart must not move. */
  lock: string;
  /** The part of the reason that neither the status line nor the command form states. */
  note: string;
}

function drawTexts({ state, isLoggedOut, roundTripMs, isOwn, commander, lock, note }: Shown): void {
  const driver = isOwn ? state?.driver : null;
  const isFree = state !== undefined && !driver && commander === '';
  showText(find('[data-hand-who]'), state ? controlText(driver, commander) : MANUAL_TEXTS.noLine);
  find('[data-hand-who]')?.toggleAttribute('data-free', isFree);
  const requester = state && state.lease > 0 ? state.asking[0] : undefined;
  showText(find('[data-hand-asker]'), requester ? MANUAL_TEXTS.asks(principalName(requester.name)) : '');
  find('[data-hand-over]')?.toggleAttribute('hidden', !requester);
  find('[data-hand-ask]')?.toggleAttribute('hidden', !requester);
  const isLocked = lock !== '' || !state || (state.driver !== null && !state.driver.isYou);
  setAttribute(find('[data-pad]'), 'aria-disabled', String(isLocked));
  showText(find('[data-hand-lock]'), note);
  showText(find('[data-hand-wait]'), waitText(state));
  showText(find('[data-hand-why]'), isLoggedOut || (lock !== '' && state) ? '' : endedText(state));
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

function waitText(state: DriveState | undefined): string {
  const [first] = state?.asking ?? [];
  if (!state?.driver || !first || !isAsking(state)) return '';
  const holder = principalName(state.driver.name);
  return first.isYou
    ? MANUAL_TEXTS.passesToYou(holder)
    : MANUAL_TEXTS.passesTo(principalName(first.name), holder);
}

function controlText(driver: HolderView | null | undefined, commander: Text): string {
  if (!driver) return commander === '' ? MANUAL_TEXTS.free : MANUAL_TEXTS.holds(principalName(commander));
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
  return `${stopped ? stoppedSentence(text) : begun(text)}. ${translated(hint)}`.trim();
}

function takeButtonText(state: DriveState | undefined): string {
  if (!state || state.driver === null) return MANUAL_TEXTS.take;
  if (state.lease > 0) return MANUAL_TEXTS.giveUp;
  if (isAsking(state)) return MANUAL_TEXTS.withdraw;
  return state.driver.isIdle ? MANUAL_TEXTS.takeOver : MANUAL_TEXTS.ask;
}

/** Returns limits that are never higher than `most` and never 0, so that a full deflection always moves the cart. */
function scaledLimits(most: ManualLimits, percent: number): ManualLimits {
  const share = Math.min(1, Math.max(0, percent / 100));
  return {
    speedMmps: Math.max(1, Math.floor(most.speedMmps * share)),
    turnDegps: Math.max(1, Math.floor(most.turnDegps * share)),
    decelMmps2: most.decelMmps2,
  };
}
