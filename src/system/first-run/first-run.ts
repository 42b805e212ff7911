import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../shared/errors.js';
import { fileErrorCode, writeFileAtomic } from '../../shared/files.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import { isJsonObject } from '../../shared/validation/json.js';

/** Steps in the order of the checklist. */
export const FIRST_STEPS = ['controller', 'drive', 'estop', 'user', 'backup'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** Completion time of each completed step, as Unix time in ms. */
export type CompletedSteps = { readonly [Step in FirstStep]?: number | undefined };

/** A move of at least this distance completes the step `drive`: 0.5 m less the odometry's tolerance. */
export const DRIVE_MM = 450;

interface Recorded {
  done: CompletedSteps;
  /** True if an administrator has hidden the checklist. */
  hidden: boolean;
}

export interface FirstRunView extends Recorded {
  isComplete: boolean;
}

interface FirstRunOptions {
  dir: string;
  clock: Clock;
  log: Log;
  /** Returns the steps that are complete according to other stored data. */
  facts: () => CompletedSteps;
}

/** The checklist for a new gateway (`first-run.json`), for information only. */
export class FirstRun {
  /**
   * True if no valid file existed, because the gateway is new or was updated from a version without a checklist.
   */
  readonly isNew: boolean;
  readonly #path: string;
  readonly #o: FirstRunOptions;
  readonly #queue = new SerialQueue();
  #recorded: Recorded;
  #isFailing = false;

  private constructor(path: string, options: FirstRunOptions, recorded: Recorded | undefined) {
    this.isNew = recorded === undefined;
    this.#path = path;
    this.#o = options;
    this.#recorded = recorded ?? { done: {}, hidden: false };
  }

  /** If the file cannot be read, logs a warning and starts with an empty checklist. */
  static async open(options: FirstRunOptions): Promise<FirstRun> {
    const path = join(options.dir, 'first-run.json');
    try {
      return new FirstRun(path, options, recordedOf(JSON.parse(await readFile(path, 'utf8'))));
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT')
        options.log.warn('first_run.read_failed', { path, reason: messageOf(error) });
      return new FirstRun(path, options, undefined);
    }
  }

  view(): FirstRunView {
    const { done, hidden } = this.#recorded;
    const shown = isComplete(done) ? done : { ...this.#recordedFacts(), ...done };
    return { done: shown, hidden, isComplete: isComplete(shown) };
  }

  /** Resolves when the step is on disk; logs a save error. Does nothing if the step is already complete. */
  complete(step: FirstStep, at = this.#o.clock.wallTime()): Promise<void> {
    if (this.#recorded.done[step] !== undefined) return Promise.resolve();
    return this.#queue.take(async () => {
      const { done, hidden } = this.#recorded;
      if (done[step] !== undefined) return;
      try {
        await this.#save({ done: { ...done, [step]: Math.trunc(at) }, hidden });
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) this.#o.log.warn('first_run.write_failed', { step, reason: messageOf(error) });
        this.#isFailing = true;
      }
    });
  }

  hide(): Promise<void> {
    return this.#queue.take(() => this.#save({ ...this.#recorded, hidden: true }));
  }

  settled(): Promise<void> {
    return this.#queue.ended();
  }

  /**
   * Also records the steps that `facts` returns, because `facts` may no longer return them after a backup is
   * restored.
   */
  #recordedFacts(): CompletedSteps {
    const facts = this.#o.facts();
    for (const step of FIRST_STEPS) if (facts[step] !== undefined) void this.complete(step, facts[step]);
    return facts;
  }

  async #save(recorded: Recorded): Promise<void> {
    await writeFileAtomic(this.#path, `${JSON.stringify(recorded, null, 2)}\n`);
    this.#recorded = recorded;
  }
}

function isComplete(done: CompletedSteps): boolean {
  return FIRST_STEPS.every((step) => done[step] !== undefined);
}

/** Ignores invalid entries, because the file may have been edited by hand. */
function recordedOf(json: unknown): Recorded {
  if (!isJsonObject(json)) throw new Error('the file is not a checklist');
  const { done, hidden } = json;
  const times = isJsonObject(done) ? done : {};
  const steps = FIRST_STEPS.filter((step) => typeof times[step] === 'number');
  return { done: Object.fromEntries(steps.map((step) => [step, times[step]])), hidden: hidden === true };
}
