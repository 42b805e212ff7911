import { type Actor, actorName } from '../../shared/actor.js';
import { errorText, GatewayError, hintOf, messageOf } from '../../shared/errors.js';
import { fileErrorReason } from '../../shared/files.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Board, Flasher, FlashProgress } from '../../shared/ports/serial.js';
import { Signal } from '../../shared/signal.js';
import type { LinkState } from '../command/model.js';
import type { Cart } from '../control/cart.js';
import type { FirmwareProgress } from '../control/sse-events.js';
import type { MotorDriver } from '../serial/driver.js';
import type { ControllerLink } from '../serial/link.js';
import type { SerialSettings } from '../serial/settings-schema.js';
import { type Condition, conditions, unmetCondition } from './conditions.js';
import { firmwareMessage } from './messages.js';
import type { FirmwareFacts, ReleaseFirmware } from './release.js';
import { runSelfTest } from './run-self-test.js';
import { failedChecks, type SelfCheck } from './self-test.js';
import {
  initialUpdate,
  isRunning,
  stepUpdate,
  type UpdateInput,
  type UpdateState,
} from './update-machine.js';
import type { UpdateRecord } from './update-record.js';

/**
 * Time limit in ms for the new firmware to respond. Long enough for three connection attempts, because a Mega's boot
 * loader delays the start of the firmware after an update.
 */
const ANSWER_MS = 30_000;

/** Firmware that has been written to the controller, whether or not it has passed the self-test. */
export interface WrittenFirmware {
  /** Version that the controller reported before; null if it is unknown. */
  from: string | null;
  version: string;
  /** SHA-256 of the hex file in the release. */
  sha256: string;
  by: Actor;
}

interface FirmwareUpdateDeps {
  record: UpdateRecord;
  release: Pick<ReleaseFirmware, 'facts' | 'read'>;
  flasher: Flasher;
  cart: Pick<Cart, 'busy' | 'arming' | 'view'>;
  link: Pick<ControllerLink, 'driver' | 'hello' | 'onReady' | 'simulated' | 'suspend' | 'resume' | 'view'>;
  serial: () => SerialSettings;
  clock: Clock;
  log: Log;
  onWritten: (firmware: WrittenFirmware) => void;
}

export interface FirmwareView extends UpdateState {
  /** Version that the controller has reported; null while it is not connected. */
  installed: string | null;
  link: LinkState;
  /** The firmware in this release; null if the release contains no firmware. */
  shipped: FirmwareFacts | null;
  /** The most recently selected board. */
  board: Board | null;
  conditions: readonly Condition[];
  /** True while a running or interrupted update blocks motion. */
  blocksMotion: boolean;
}

/** Updates the motor controller's firmware, and recovers a controller after an interrupted update. */
export class FirmwareUpdate {
  readonly #deps: FirmwareUpdateDeps;
  readonly #change = new Signal();
  readonly #unlisten: Cancel;
  #state: UpdateState;
  #run: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: FirmwareUpdateDeps) {
    this.#deps = deps;
    this.#state = initialUpdate(deps.record.isPending);
    this.#unlisten = deps.link.onReady((driver) => void this.#onReady(driver));
    const { driver } = deps.link;
    if (driver) void this.#onReady(driver);
  }

  readonly onChange = this.#change.on.bind(this.#change);

  /** True while the controller's firmware is being written or tested. */
  get isRunning(): boolean {
    return isRunning(this.#state);
  }

  view(): FirmwareView {
    const { link, record, release } = this.#deps;
    return {
      ...this.#state,
      installed: link.hello?.firmware ?? null,
      link: link.view().state,
      shipped: release.facts ?? null,
      board: record.board,
      conditions: this.#conditions(),
      blocksMotion: record.isPending,
    };
  }

  progress(): FirmwareProgress {
    const { phase, percent } = this.#state;
    return { phase, percent };
  }

  /** Starts an update. Throws FIRMWARE_UPDATE if one is running, or FIRMWARE_REFUSED. */
  start(board: Board, by: Actor): void {
    if (isRunning(this.#state) || this.#isClosed)
      throw new GatewayError('FIRMWARE_UPDATE', firmwareMessage('running'));
    this.#checkConditions();
    this.#deps.log.info('firmware.update_started', { board, by: actorName(by) });
    this.#apply({ type: 'start' });
    this.#run = this.#update(board, by).catch((error: unknown) => {
      if (this.#isClosed) return;
      this.#deps.log.warn('firmware.update_failed', { board, reason: messageOf(error) });
      this.#apply({ type: 'failed', reason: errorText(error), hint: hintOf(error) });
    });
  }

  /** Kills a running update. The operator can repeat the update after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unlisten();
    await this.#deps.flasher.stop();
  }

  /** Resolves when the running update, if any, has ended. */
  ended(): Promise<void> {
    return this.#run;
  }

  async #update(board: Board, by: Actor): Promise<void> {
    const { link, onWritten, record, release } = this.#deps;
    const { sections, sha256 } = await release.read(board);
    const from = link.hello?.firmware ?? null;
    // Checked again, because the cart may have started to move while the release was being read.
    this.#checkConditions();
    await record.begin(board).catch((error: unknown) => {
      const text = firmwareMessage('not-recorded', { reason: fileErrorReason(error) });
      throw new GatewayError('WRITE_FAILED', text);
    });
    try {
      await link.suspend(firmwareMessage('running'));
      this.#apply({ type: 'flashing' });
      const sizes = sections.map(({ bytes }) => bytes);
      await this.#flash(
        board,
        sections.map(({ hex }) => hex),
        (progress) => this.#apply({ type: 'progress', sizes, ...progress }),
      );
      this.#apply({ type: 'flashed' });
      onWritten({ from, version: release.facts?.version ?? '', sha256, by });
      await this.#testNew();
    } finally {
      record.rest();
      if (!this.#isClosed) link.resume();
    }
  }

  async #flash(
    board: Board,
    sections: readonly string[],
    onProgress: (progress: FlashProgress) => void,
  ): Promise<void> {
    const { flasher, link } = this.#deps;
    const { path } = link.view();
    const end = await flasher.flash({ board, path, sections }, onProgress);
    if (end.outcome === 'failed') throw new GatewayError('FIRMWARE_UPDATE', end.reason, { hint: end.hint });
    if (end.outcome === 'stopped') throw new GatewayError('STOPPING', firmwareMessage('stopped'));
  }

  /** Connects to the new firmware and tests it; repeats the test if the session ends during the test. */
  async #testNew(): Promise<void> {
    const { clock, link, log, record, release } = this.#deps;
    const endMs = clock.now() + ANSWER_MS;
    link.resume();
    let checks: SelfCheck[] = [];
    for (let driver: MotorDriver | undefined; driver === undefined || driver !== link.driver; ) {
      driver = await this.#connected(endMs - clock.now());
      this.#apply({ type: 'answered' });
      checks = await runSelfTest(driver, release.facts?.version, this.#deps);
    }
    const failed = failedChecks(checks);
    if (failed === '') {
      await record.end();
      log.info('firmware.updated', { version: link.hello?.firmware });
    }
    this.#apply({ type: 'tested', checks });
    if (failed === '') return;
    const text = firmwareMessage('test-failed', { checks: failed });
    throw new GatewayError('FIRMWARE_UPDATE', text, { hint: firmwareMessage('test-hint') });
  }

  #connected(limitMs: number): Promise<MotorDriver> {
    const { clock, link } = this.#deps;
    return new Promise((resolve, reject) => {
      if (link.driver) return resolve(link.driver);
      const cancelTimer = clock.after(Math.max(0, limitMs), () => {
        cancelReady();
        const text = firmwareMessage('no-answer', { reason: link.view().reason });
        reject(new GatewayError('FIRMWARE_UPDATE', text, { hint: firmwareMessage('no-answer-hint') }));
      });
      const cancelReady = link.onReady((driver) => {
        cancelTimer();
        cancelReady();
        resolve(driver);
      });
    });
  }

  /** After an interrupted update, permits motion if the controller passes the self-test with any version. */
  async #onReady(driver: MotorDriver): Promise<void> {
    const { link, log, record } = this.#deps;
    if (!record.isPending || isRunning(this.#state)) return;
    const checks = await runSelfTest(driver, undefined, this.#deps);
    if (isRunning(this.#state) || this.#isClosed || failedChecks(checks) !== '') return;
    try {
      await record.end();
      log.info('firmware.recovered', { version: link.hello?.firmware });
      this.#apply({ type: 'recovered' });
      this.#change.emit();
    } catch (error) {
      log.error('firmware.record_failed', { reason: messageOf(error) });
    }
  }

  #apply(input: UpdateInput): void {
    const next = stepUpdate(this.#state, input);
    if (next === this.#state) return;
    this.#state = next;
    this.#change.emit();
  }

  #checkConditions(): void {
    const unmet = unmetCondition(this.#conditions());
    if (!unmet) return;
    const text = firmwareMessage('refused', { condition: unmet.text });
    throw new GatewayError('FIRMWARE_REFUSED', text, { hint: unmet.hint });
  }

  #conditions(): Condition[] {
    const { cart, flasher, link, release, serial } = this.#deps;
    const { driver, baudRate } = serial();
    const { emergencyStop, input } = cart.view().safety;
    return conditions({
      driver,
      baudRate,
      isSimulated: link.simulated,
      hasImage: release.facts !== undefined,
      isProgramInstalled: flasher.isInstalled(),
      isConfigured: release.facts?.isConfigured ?? false,
      caps: link.hello?.caps,
      isMoving: cart.busy,
      isStopped: emergencyStop !== 'NONE' || input === 'asserted',
      motorsOn: cart.arming.on,
    });
  }
}
