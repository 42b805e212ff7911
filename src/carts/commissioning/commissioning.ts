import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Actor, actorName, readActor } from '../../shared/actor.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { fileErrorCode, stampOf, writeFileAtomic } from '../../shared/files.js';
import { messageJson, type Text } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { type BrakeTest, brakeTestsOf, MAX_BRAKE_TESTS, measuredBraking } from './brake-test.js';
import { commissioningMessage } from './messages.js';

export const STEPS = [
  'wheels',
  'forward',
  'turn',
  'limits',
  'estop',
  'deadman',
  'camera',
  'broker',
  'footprint',
  'brake',
] as const;
export type CommissioningStep = (typeof STEPS)[number];

export const STEP_OUTCOMES = ['passed', 'failed', 'skipped'] as const;
type StepOutcome = (typeof STEP_OUTCOMES)[number];

export interface StepResult {
  outcome: StepOutcome;
  note: string;
  by: Actor;
  /** Unix time in ms. */
  at: number;
}

export type Results = Readonly<Partial<Record<CommissioningStep, StepResult>>>;

/** Returns the results as sent in API responses, with the person's name instead of the actor. */
export function resultsView(results: Results): object {
  const views = STEPS.flatMap((step) => {
    const result = results[step];
    return result ? [[step, { ...result, by: actorName(result.by) }]] : [];
  });
  return Object.fromEntries(views);
}

/** `speedMmps`, `distanceMm` and `load` are those of a passed brake test. */
export interface StepInput {
  step: unknown;
  outcome: unknown;
  note?: unknown;
  speedMmps?: unknown;
  distanceMm?: unknown;
  load?: unknown;
}

const MAX_NOTE = 300;
const FILE_NAME = 'commissioning.json';

/** The commissioning record in `commissioning.json`. Its brake tests bound the deceleration that is assumed near zones. */
export class Commissioning {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #queue = new SerialQueue();
  /** Reports an unreadable record that was set aside and has not been deleted; empty otherwise. */
  readonly fault: Text;
  #results: Results;
  #brakeTests: readonly BrakeTest[];

  private constructor(path: string, clock: Clock, json: Readonly<Record<string, unknown>>, fault: Text) {
    this.#path = path;
    this.fault = fault;
    this.#clock = clock;
    this.#results = resultsOf(json);
    this.#brakeTests = brakeTestsOf(json.brakeTests);
  }

  /** If the record cannot be read, sets it aside and starts with an empty record. */
  static async open({ dir, clock, log }: { dir: string; clock: Clock; log: Log }): Promise<Commissioning> {
    const path = join(dir, FILE_NAME);
    let json: unknown = {};
    try {
      json = JSON.parse(await readFile(path, 'utf8'));
      if (!isJsonObject(json)) throw new Error('the file is not a commissioning record');
    } catch (error) {
      json = {};
      if (fileErrorCode(error) !== 'ENOENT') {
        log.warn('commissioning.read_failed', { path, reason: messageOf(error) });
        const suffix = `${stampOf(clock.wallTime())}-${randomBytes(3).toString('hex')}`;
        // On a read-only disk, the record cannot be overwritten either.
        await rename(path, `${path}.damaged-${suffix}`).catch(() => {});
      }
    }
    const names = await readdir(dir).catch(() => []);
    const aside = names.find((name) => name.startsWith(`${FILE_NAME}.damaged-`));
    const fault = aside ? commissioningMessage('set-aside', { file: aside }) : '';
    return new Commissioning(path, clock, json as Record<string, unknown>, fault);
  }

  get results(): Results {
    return this.#results;
  }

  get brakeTests(): readonly BrakeTest[] {
    return this.#brakeTests;
  }

  /**
   * Resolves when the outcome is on disk. Rejects with `INVALID_INPUT` if the input is invalid, or with `CONFLICT` if
   * there are too many brake tests.
   */
  async note(
    input: StepInput,
    by: Actor,
    { maxSpeedMmps }: { maxSpeedMmps: number },
  ): Promise<CommissioningStep> {
    const step = oneOf(STEPS, 'step', input.step);
    const outcome = oneOf(STEP_OUTCOMES, 'outcome', input.outcome);
    if (step === 'brake' && outcome === 'passed') {
      const measured = measuredBraking(input, maxSpeedMmps);
      await this.#queue.take(() => this.#addBrakeTest(measured, by));
      return step;
    }
    const { note = '' } = input;
    if (typeof note !== 'string' || note.length > MAX_NOTE) {
      throw new GatewayError('INVALID_INPUT', `note must be a string of at most ${MAX_NOTE} characters`, {
        field: 'note',
        limit: MAX_NOTE,
        unit: 'characters',
      });
    }
    await this.#queue.take(() => this.#save({ ...this.#results, [step]: this.#result(outcome, note, by) }));
    return step;
  }

  /**
   * Declares a brake test wrong. Rejects with `NOT_FOUND` if there is no such test that counts.
   * @param at the time of the test
   */
  withdrawBrakeTest(at: unknown, by: Actor): Promise<void> {
    return this.#queue.take(() => this.#withdraw(at, by));
  }

  async #withdraw(at: unknown, by: Actor): Promise<void> {
    const found = this.#brakeTests.find((test) => String(test.at) === String(at) && !test.withdrawn);
    if (!found) throw new GatewayError('NOT_FOUND', commissioningMessage('no-test'));
    const withdrawn = { by, at: Math.trunc(this.#clock.wallTime()) };
    const tests = this.#brakeTests.map((test) => (test === found ? { ...test, withdrawn } : test));
    await this.#save(this.#results, tests);
  }

  async #addBrakeTest(measured: ReturnType<typeof measuredBraking>, by: Actor): Promise<void> {
    if (this.#brakeTests.length >= MAX_BRAKE_TESTS) {
      throw new GatewayError('CONFLICT', commissioningMessage('too-many-tests', { limit: MAX_BRAKE_TESTS }));
    }
    const { speedMmps, distanceMm, load } = measured;
    const note = [`${speedMmps} mm/s`, `${distanceMm} mm`, load].filter(Boolean).join(', ');
    const brake = this.#result('passed', note, by);
    await this.#save({ ...this.#results, brake }, [...this.#brakeTests, { ...measured, by, at: brake.at }]);
  }

  skipRest(by: Actor): Promise<void> {
    return this.#queue.take(() => {
      const skipped = STEPS.map((step) => [step, this.#results[step] ?? this.#result('skipped', '', by)]);
      return this.#save(Object.fromEntries(skipped));
    });
  }

  #result(outcome: StepOutcome, note: string, by: Actor): StepResult {
    return { outcome, note, by, at: Math.trunc(this.#clock.wallTime()) };
  }

  async #save(results: Results, brakeTests = this.#brakeTests): Promise<void> {
    await writeFileAtomic(this.#path, `${messageJson({ ...results, brakeTests })}\n`);
    this.#results = results;
    this.#brakeTests = brakeTests;
  }
}

function oneOf<T extends string>(known: readonly T[], field: string, value: unknown): T {
  const found = known.find((name) => name === value);
  if (found) return found;
  throw new GatewayError('INVALID_INPUT', `${field} must be one of ${known.join(', ')}`, { field });
}

/** Ignores invalid results, because the file may have been edited by hand. */
function resultsOf(json: Readonly<Record<string, unknown>>): Results {
  const found = STEPS.flatMap((step) => {
    const result = json[step];
    if (!isJsonObject(result)) return [];
    const { note, by, at } = result;
    const outcome = STEP_OUTCOMES.find((name) => name === result.outcome);
    if (!outcome || typeof note !== 'string' || by === undefined || typeof at !== 'number') return [];
    // Version 0.2 stored only the actor's name.
    return [[step, { outcome, note, by: readActor(by), at }] as const];
  });
  return Object.fromEntries(found);
}
