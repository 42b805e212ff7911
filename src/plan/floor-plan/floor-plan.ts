import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, GatewayError, messageOf } from '../../shared/errors.js';
import {
  fileErrorCode,
  fileErrorReason,
  openFolder,
  removeLeftovers,
  writeFileAtomic,
} from '../../shared/files.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import { Signal } from '../../shared/signal.js';
import { checkerFor, invalidInput } from '../../shared/validation/validate.js';
import type { LatLong } from '../frame/geodesy.js';
import { placementOf } from './georeference.js';
import { orientationOf, readPlanImage } from './image.js';
import { anchorOf, pointsOfLine } from './line.js';
import {
  type PlanFile,
  type PlanLine,
  type PlanView,
  type Points,
  planFileSchema,
  planLineSchema,
  pointsSchema,
} from './schema.js';

const PLAN_FILE = 'plan.json';
const DISK_ERRORS: Readonly<Record<string, ErrorCode>> = { ENOSPC: 'DISK_FULL', EROFS: 'STORE_FAILED' };
const IMAGE_NAME = /^picture-[\w-]+$/;

const checkFile = checkerFor<PlanFile>(planFileSchema);
const checkLine = checkerFor<PlanLine>(planLineSchema);
const checkPoints = checkerFor<{ points: Points }>(pointsSchema);

/** `plan.json` is replaced after the new image is on disk, so a power cut leaves either the old or the new plan. */
export class FloorPlan {
  readonly #dir: string;
  readonly #log: Log;
  readonly #queue = new SerialQueue();
  readonly #changed = new Signal();
  #current: PlanView | undefined;

  private constructor(dir: string, log: Log) {
    this.#dir = dir;
    this.#log = log;
  }

  /** If `plan.json` is unreadable, logs the error and starts without a floor plan. */
  static async open({ dir, log }: { dir: string; log: Log }): Promise<FloorPlan> {
    const plan = new FloorPlan(dir, log);
    plan.#current = await plan.#read();
    // Keeps the image if `plan.json` is unreadable, because the file may be repaired by hand.
    await plan.#sweep(plan.#current ? undefined : () => true);
    return plan;
  }

  /** Calls the listener when the floor plan, its scale or its position has changed. */
  readonly onChange = this.#changed.on.bind(this.#changed);

  get current(): PlanView | undefined {
    return this.#current;
  }

  /** Rejects with `NOT_FOUND` if there is no floor plan. */
  async image(): Promise<{ bytes: Buffer; type: string; version: string }> {
    const { version, type } = this.#require();
    return { bytes: await readFile(this.#path(version)), type, version };
  }

  /**
   * Replaces the image and clears the reference points. Rejects with the errors of `readPlanImage` and with
   * disk errors.
   */
  replace(bytes: Buffer): Promise<PlanView> {
    return this.#queue.take(async () => {
      const image = readPlanImage(bytes);
      const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
      await this.#write(() => writeFileAtomic(this.#path(version), bytes));
      const view = await this.#save({ ...image, version, bytes: bytes.length });
      await this.#sweep();
      this.#log.info('plan.replaced', { ...image, bytes: bytes.length });
      return view;
    });
  }

  /** Takes `{points: [{x, y, lat, long}, …]}`. Rejects with `NOT_FOUND` or `INVALID_INPUT`. */
  setPoints(body: unknown): Promise<PlanView> {
    return this.#place(() => {
      const checked = checkPoints(body);
      if ('faults' in checked) throw invalidInput(checked.faults);
      return checked.value.points;
    });
  }

  /**
   * Takes `{x1, y1, x2, y2, lengthM}`. Rejects with `NOT_FOUND` or `INVALID_INPUT`.
   * @param origin position of the bottom left corner if the plan has no position yet
   */
  setLine(body: unknown, origin: LatLong): Promise<PlanView> {
    return this.#place((plan) => {
      const checked = checkLine(body);
      if ('faults' in checked) throw invalidInput(checked.faults);
      return pointsOfLine(checked.value, plan, anchorOf(plan.placement, origin));
    });
  }

  #place(pointsFor: (plan: PlanView) => Points): Promise<PlanView> {
    return this.#queue.take(async () => {
      const current = this.#require();
      const points = pointsFor(current);
      const { placement: _old, ...plan } = current;
      const view = await this.#save({ ...plan, points, placement: placementOf(points, plan) });
      this.#log.info('plan.placed', { metresPerPixel: view.placement?.metresPerPixel });
      return view;
    });
  }

  remove(): Promise<void> {
    return this.#queue.take(async () => {
      this.#require();
      await this.#write(() => rm(join(this.#dir, PLAN_FILE), { force: true }));
      this.#current = undefined;
      this.#changed.emit();
      await this.#sweep();
      this.#log.info('plan.removed');
    });
  }

  async #save(view: PlanView): Promise<PlanView> {
    const { placement: _derived, ...file } = view;
    await this.#write(() =>
      writeFileAtomic(join(this.#dir, PLAN_FILE), `${JSON.stringify(file, null, 2)}\n`),
    );
    this.#current = view;
    this.#changed.emit();
    return view;
  }

  async #read(): Promise<PlanView | undefined> {
    try {
      const checked = checkFile(JSON.parse(await readFile(join(this.#dir, PLAN_FILE), 'utf8')));
      if ('faults' in checked) throw invalidInput(checked.faults);
      const file = checked.value;
      this.#warnOfOrientation(file, await readFile(this.#path(file.version)));
      return file.points ? { ...file, placement: placementOf(file.points, file) } : file;
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT') {
        this.#log.warn('plan.read_failed', { reason: messageOf(error) });
      }
      return undefined;
    }
  }

  /**
   * Logs a warning that a plan's scale may be wrong because an earlier version of Cartwright ignored the image's
   * orientation.
   */
  #warnOfOrientation({ orientation }: PlanFile, bytes: Buffer): void {
    if (orientation !== undefined || orientationOf(bytes) === 1) return;
    this.#log.warn('plan.orientation_ignored', { hint: 'Upload the floor plan again.' });
  }

  async #sweep(isKept = (name: string) => name === imageNameOf(this.#current)): Promise<void> {
    const names = (await openFolder(this.#dir)).filter(
      (name) => name.includes('.tmp-') || (IMAGE_NAME.test(name) && !isKept(name)),
    );
    await removeLeftovers(this.#dir, names);
  }

  async #write(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const code = DISK_ERRORS[fileErrorCode(error)] ?? 'WRITE_FAILED';
      const message = `the floor plan cannot be saved: ${fileErrorReason(error)}`;
      throw new GatewayError(code, message, { cause: error });
    }
  }

  #require(): PlanView {
    if (this.#current) return this.#current;
    throw new GatewayError('NOT_FOUND', 'there is no floor plan');
  }

  #path(version: string): string {
    return join(this.#dir, imageNameOf({ version }));
  }
}

function imageNameOf(plan: Pick<PlanFile, 'version'> | undefined): string {
  return plan ? `picture-${plan.version}` : '';
}
