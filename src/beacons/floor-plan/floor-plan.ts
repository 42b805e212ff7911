import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import {
  fileErrorCode,
  fileErrorReason,
  openFolder,
  removeLeftovers,
  writeFileAtomic,
} from '../../shared/files.js';
import type { Log } from '../../shared/ports/ports.js';
import { SerialQueue } from '../../shared/queues.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { invalid } from '../registry/check.js';
import { place } from './georeference.js';
import { readPlanImage } from './image.js';
import { type PlanFile, type PlanView, type Points, planFileSchema, pointsSchema } from './schema.js';

const NOTE = 'plan.json';
/** What the disk itself refuses, and waiting does not help. */
const REFUSALS: Readonly<Record<string, string>> = { ENOSPC: 'DISK_FULL', EROFS: 'STORE_FAILED' };
const PICTURE = /^picture-[\w-]+$/;

const checkFile = checkerFor<PlanFile>(planFileSchema);
const checkPoints = checkerFor<{ points: Points }>(pointsSchema);

/**
 * The one floor plan: a picture and a note in a folder of its own. The note names the picture, and is replaced when the
 * new picture is on the disk: after a power cut there is the old plan or the new one, whole.
 */
export class FloorPlan {
  readonly #dir: string;
  readonly #log: Log;
  readonly #turns = new SerialQueue();
  #current: PlanView | undefined;

  private constructor(dir: string, log: Log) {
    this.#dir = dir;
    this.#log = log;
  }

  /** Opens the folder, which it makes. A note that cannot be read is told in the log and is no plan. */
  static async open({ dir, log }: { dir: string; log: Log }): Promise<FloorPlan> {
    const plan = new FloorPlan(dir, log);
    plan.#current = await plan.#read();
    // A note that cannot be read may be mended by hand, so the pictures stay.
    await plan.#sweep(plan.#current ? undefined : () => true);
    return plan;
  }

  get current(): PlanView | undefined {
    return this.#current;
  }

  /** The picture. Rejects with `NOT_FOUND` when there is no plan. */
  async picture(): Promise<{ bytes: Buffer; type: string }> {
    const { version, type } = this.#demand();
    return { bytes: await readFile(this.#path(version)), type };
  }

  /** Takes a picture instead of the one before; its points have to be set. Rejects with what is wrong with it. */
  replace(bytes: Buffer): Promise<PlanView> {
    return this.#turns.take(async () => {
      const image = readPlanImage(bytes);
      const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
      await this.#keep(() => writeFileAtomic(this.#path(version), bytes));
      const view = await this.#note({ ...image, version, bytes: bytes.length });
      await this.#sweep();
      this.#log.info('beacons.plan_replaced', { ...image, bytes: bytes.length });
      return view;
    });
  }

  /** Sets the two points: `{points: [{x, y, lat, long}, …]}`. Rejects with `NOT_FOUND` and `INVALID_INPUT`. */
  setPoints(body: unknown): Promise<PlanView> {
    return this.#turns.take(async () => {
      const { placement: _old, ...plan } = this.#demand();
      const checked = checkPoints(body);
      if ('faults' in checked) throw invalid(checked.faults);
      const { points } = checked.value;
      const view = await this.#note({ ...plan, points, placement: place(points, plan) });
      this.#log.info('beacons.plan_placed', { metresPerPixel: view.placement?.metresPerPixel });
      return view;
    });
  }

  /** Rejects with `NOT_FOUND` when there is no plan. */
  remove(): Promise<void> {
    return this.#turns.take(async () => {
      this.#demand();
      await this.#keep(() => rm(join(this.#dir, NOTE), { force: true }));
      this.#current = undefined;
      await this.#sweep();
      this.#log.info('beacons.plan_removed');
    });
  }

  async #note(view: PlanView): Promise<PlanView> {
    const { placement: _derived, ...file } = view;
    await this.#keep(() => writeFileAtomic(join(this.#dir, NOTE), `${JSON.stringify(file, null, 2)}\n`));
    this.#current = view;
    return view;
  }

  async #read(): Promise<PlanView | undefined> {
    try {
      const checked = checkFile(JSON.parse(await readFile(join(this.#dir, NOTE), 'utf8')));
      if ('faults' in checked) throw invalid(checked.faults);
      const file = checked.value;
      await readFile(this.#path(file.version));
      return file.points ? { ...file, placement: place(file.points, file) } : file;
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT') {
        this.#log.warn('beacons.plan_unreadable', { reason: messageOf(error) });
      }
      return undefined;
    }
  }

  /** Removes what a power cut left half written, and every picture but the plan's. */
  async #sweep(isOurs = (name: string) => name === pictureOf(this.#current)): Promise<void> {
    const names = (await openFolder(this.#dir)).filter(
      (name) => name.includes('.tmp-') || (PICTURE.test(name) && !isOurs(name)),
    );
    await removeLeftovers(this.#dir, names);
  }

  async #keep(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const code = REFUSALS[fileErrorCode(error)] ?? 'WRITE_FAILED';
      throw new GatewayError(code, `the plan cannot be kept: ${fileErrorReason(error)}`, { cause: error });
    }
  }

  #demand(): PlanView {
    if (this.#current) return this.#current;
    throw new GatewayError('NOT_FOUND', 'there is no floor plan');
  }

  #path(version: string): string {
    return join(this.#dir, pictureOf({ version }));
  }
}

/** The name of its file. */
function pictureOf(plan: Pick<PlanFile, 'version'> | undefined): string {
  return plan ? `picture-${plan.version}` : '';
}
