import {
  hasCartMoved,
  MAX_MM,
  type MapPose,
  motionTo,
  type OdometerPose,
  PlacedCart,
  type Position,
  type TargetMotion,
} from '../../../../beacons/pure.js';
import { upperFirst } from '../../../../i18n/format.js';
import type { LatLong, PlanFrame } from '../../../../plan/pure.js';
import { newId } from '../../../browser/commands/new-id.js';
import { progressOf } from '../../../browser/commands/progress.js';
import { motionText, sendCommand, showLines } from '../../../browser/commands/send-command.js';
import { find, showText } from '../../../browser/dom.js';
import { initHoldButtons } from '../../../browser/hold.js';
import type { StateStore } from '../../../browser/live/state-store.js';
import { send } from '../../../browser/post.js';
import { TEXTS } from '../../../browser/texts.js';
import type { BeaconMap } from '../map.js';
import { lockReason, type PageRules, rulesIn, sampleOf } from './lock.js';
import { CartPlacing } from './placing.js';
import { PreviewLayer } from './preview-layer.js';
import { DRIVE_TO_TEXTS } from './texts.js';

const TIMEOUT = { timeoutMs: 10_000 };

/** A command that has not been sent; discarded when anything that the command depends on changes. */
interface Preview {
  motion: TargetMotion;
  odometer: OdometerPose;
}

/** Tapping the map only shows a preview of the drive; the command is sent only when the button is held. */
export class DriveTo {
  readonly #state: StateStore;
  readonly #form: HTMLElement;
  readonly #rules: PageRules;
  readonly #layer: PreviewLayer;
  readonly #placing: CartPlacing;
  readonly #frame: () => PlanFrame;
  #placed: PlacedCart | undefined;
  #preview: Preview | undefined;
  /** The result of the operator's last tap; empty if there was none. */
  #note = '';
  #isSending = false;
  /** ID of the command that was sent for the last preview; empty if there was none. */
  #sentId = '';
  /** The text that the page shows about this command; empty before the first event. */
  #shownProgress = '';

  /** @param frame returns the floor plan's current position. */
  constructor(form: HTMLElement, map: BeaconMap, state: StateStore, frame: () => PlanFrame) {
    this.#form = form;
    this.#frame = frame;
    this.#state = state;
    this.#rules = rulesIn(form);
    this.#layer = new PreviewLayer(map.map);
    this.#placing = new CartPlacing(map, this.#layer, (at) => this.#place(at));
    map.onTap(({ lat, lng }) => this.#tapped({ lat, long: lng }));
    find('[data-drive-to-place]', form)?.addEventListener('click', () => this.#beginPlacing());
    find('[data-drive-to-cancel]', form)?.addEventListener('click', () => this.cancel());
    initHoldButtons({
      buttons: '[data-drive-to-go]',
      question: DRIVE_TO_TEXTS.confirm,
      done: (_button, fields) => void this.#send(fields),
      early: () => showLines(this.#answer, { tone: 'quiet', lines: [TEXTS.holdPreset] }),
    });
  }

  /** Where the operator placed the cart; undefined if the gateway knows a better position. */
  get placedPose(): MapPose | undefined {
    return this.#located || this.#placed?.end ? undefined : this.#placed?.pose;
  }

  get #pose(): MapPose | undefined {
    return this.#located ?? this.placedPose;
  }

  /** The cart's position on the plan, if it is accurate. */
  get #located(): MapPose | undefined {
    const { location } = this.#state.own ?? {};
    if (location?.state !== 'GOOD') return undefined;
    const frame = this.#frame();
    return { ...frame.toGlobe(location), bearingDeg: frame.turned(location.headingDeg) };
  }

  cancel(): void {
    this.#placing.cancel();
    this.#discard('');
    this.update();
  }

  /** Discards the preview if the cart has moved or must not be driven, and updates the page. */
  update(): void {
    const cart = this.#state.own;
    this.#placed?.update(sampleOf(this.#state, cart));
    const lock = lockReason(this.#state, this.#rules);
    if (this.#preview && (lock !== '' || !this.#pose)) this.#discard('');
    if (this.#preview && (!cart?.pose || hasCartMoved(this.#preview.odometer, cart.pose)))
      this.#discard(DRIVE_TO_TEXTS.moved(cart?.name ?? ''));
    const isStopped = cart?.safety.emergencyStop !== 'NONE';
    if (isStopped || !cart.pose || this.#placing.isOutdated(cart.pose)) this.#placing.cancel();
    this.#draw(lock);
  }

  /** Called when the floor plan has changed, because the cart was placed on the old plan. */
  forget(): void {
    this.#placing.cancel();
    this.#discard('');
    this.#placed = undefined;
  }

  get #answer(): HTMLElement | undefined {
    return find('[data-drive-to-answer]', this.#form);
  }

  #beginPlacing(): void {
    const pose = this.#state.own?.pose;
    if (!pose || lockReason(this.#state, this.#rules) !== '') return;
    this.#discard('');
    this.#placing.begin(pose);
    this.update();
  }

  #place(at: MapPose): void {
    const sample = sampleOf(this.#state, this.#state.own);
    if (sample.odometer) this.#placed = new PlacedCart(at, sample.odometer, sample);
    void this.#placeOnPlan(at);
    this.#state.draw();
  }

  /**
   * Sends the operator's placement of the cart to the gateway, so that markers and beacons can correct it. If there is
   * no response, the cart is still shown where it was placed.
   */
  async #placeOnPlan(at: MapPose): Promise<void> {
    const frame = this.#frame();
    const pose = { ...frame.toPlan(at), headingDeg: frame.turned(at.bearingDeg) };
    const { ok, status, message, hint } = await send('PUT', '/navigation/location', TIMEOUT, pose);
    if (ok || status === 0) return;
    this.forget();
    showLines(this.#answer, { tone: 'stop', lines: [upperFirst(message), hint].filter(Boolean) });
    this.#state.draw();
  }

  #tapped(target: LatLong): void {
    if (this.#isSending) return;
    this.#placing.cancel();
    this.#discard('');
    this.update();
    const [pose, odometer] = [this.#pose, this.#state.own?.pose];
    if (!pose || !odometer || lockReason(this.#state, this.#rules) !== '') return;
    const motion = motionTo(pose, target, this.#rules);
    if ('fault' in motion) this.#note = DRIVE_TO_TEXTS.fault(motion);
    else {
      this.#preview = { motion, odometer };
      this.#layer.showMotion(pose, motion.end);
      this.#fill(motion);
    }
    this.update();
    this.#form.scrollIntoView({ block: 'nearest' });
  }

  async #send(held: URLSearchParams): Promise<void> {
    this.update();
    const { motion } = this.#preview ?? {};
    const cartID = this.#state.own?.cartID;
    if (!motion || cartID === undefined || this.#isSending) return;
    const { distanceID, angleID } = motion;
    // The preview may have changed since the button was pressed.
    if (held.get('distanceID') !== String(distanceID) || held.get('angleID') !== String(angleID)) return;
    this.#isSending = true;
    this.#discard('');
    showLines(this.#answer, { tone: 'quiet', lines: [TEXTS.sending] });
    const { meaning } = this.#rules;
    // Another command may have started since the last event, so `onBusy` is `reject`.
    const commandId = newId();
    const command = { cartID, distanceID, angleID, meaning, onBusy: 'reject', commandId };
    const answer = await sendCommand(command);
    this.#isSending = false;
    showLines(this.#answer, answer);
    if (answer.tone !== 'stop' || !answer.isAnswered) this.#sentId = commandId;
    this.#state.draw();
  }

  #discard(note: string): void {
    this.#note = note;
    this.#preview = undefined;
    this.#sentId = '';
    this.#shownProgress = '';
    this.#layer.clear();
    this.#answer?.replaceChildren();
  }

  #fill({ distanceID, angleID }: TargetMotion): void {
    for (const [name, value] of Object.entries({ distanceID, angleID })) {
      const input = find<HTMLInputElement>(`[name="${name}"]`, this.#form);
      if (input) input.value = String(value);
    }
  }

  /** Replaces the gateway's response with the command's progress. Returns true while the command is running. */
  #drawProgress(): boolean {
    const progress = progressOf(this.#state, this.#sentId);
    this.#form.toggleAttribute('data-stale', progress?.isStale ?? false);
    if (!progress) {
      // After a restart, the gateway no longer knows the command.
      if (this.#shownProgress !== '') this.#discard('');
      return false;
    }
    const { lines, tone, hasEnded } = progress;
    const shown = [tone, ...lines].join();
    if (shown !== this.#shownProgress) showLines(this.#answer, progress);
    this.#shownProgress = shown;
    return !hasEnded;
  }

  #draw(lock: string): void {
    const isRunning = this.#drawProgress();
    const name = this.#state.own?.name ?? '';
    const isPlacing = this.#placing.step !== undefined;
    showText(find('[data-drive-to-text]', this.#form), isRunning ? '' : this.#text(lock, name));
    const show = (selector: string, isShown: boolean): void => {
      find(selector, this.#form)?.toggleAttribute('hidden', !isShown);
    };
    show('[data-drive-to-hint]', this.#preview !== undefined);
    show('[data-drive-to-go]', this.#preview !== undefined);
    show('[data-drive-to-cancel]', this.#preview !== undefined || isPlacing);
    show('[data-drive-to-place]', !this.#preview && !isPlacing && lock === '' && !this.#isSending);
    showText(find('[data-drive-to-name]', this.#form), DRIVE_TO_TEXTS.place(name));
  }

  #text(lock: string, name: string): string {
    if (this.#isSending) return '';
    if (lock !== '') return DRIVE_TO_TEXTS.locked(lock);
    if (this.#placing.step) return this.#placing.text(name);
    if (this.#preview) {
      const { distanceMm, angleDeg } = this.#preview.motion;
      return motionText(distanceMm, angleDeg);
    }
    if (!this.#pose && this.#placed?.end) return DRIVE_TO_TEXTS.ended(name, this.#placed.end);
    if (!this.#pose) return this.#notPlaced(name);
    return this.#note || DRIVE_TO_TEXTS.ready(name, Math.min(this.#rules.maxMm, MAX_MM));
  }

  #notPlaced(name: string): string {
    if (this.#state.own?.location?.state === 'COARSE') return DRIVE_TO_TEXTS.coarse(name);
    const observed = this.#state.positions.get(this.#state.ownID);
    const { position } = (observed?.observation ?? {}) as { position?: Position | null };
    if (!position) return DRIVE_TO_TEXTS.notPlaced(name);
    return DRIVE_TO_TEXTS.inaccurate(name, position.ellipse.semiMajorM);
  }
}
