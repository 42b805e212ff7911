import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { MotionReport, MotorDriver } from '../../../../../src/carts/serial/driver.js';
import { createDriver } from '../../../../../src/carts/serial/drivers/create-driver.js';
import { defaultSettings } from '../../../../../src/settings/schema/schema.js';
import { quietLog, settle } from '../../../../helpers/cart-harness.js';
import { FakeClock } from '../../../../helpers/fake-clock.js';
import { randomFrom, rounds, testSeed } from '../../../../helpers/random.js';
import { type BoardName, ModelBoard } from '../model-board.js';

const ROUNDS = rounds(40, 10_000);

const STEP_MS = 50;
const WATCHDOG_MS = 500;
/** As in the control loop: a longer delay causes a protective stop. */
const LATE_MS = 250;

/** One cart whose process is suspended at random moments. */
interface Round {
  board: ModelBoard;
  clock: FakeClock;
  driver: MotorDriver;
  reports: MotionReport[];
  /** Speed and distance at the first protective stop; undefined if there was none. */
  stopped: { mmps: number; mm: number } | undefined;
  /** Time during which the process was suspended after the protective stop. */
  frozenMs: number;
}

function between(random: () => number, low: number, high: number): number {
  return Math.round(low + random() * (high - low));
}

/** Returns random settings within the ranges of the settings document. */
function randomSettings(random: () => number, name: BoardName) {
  const settings = defaultSettings();
  settings.safety.allowNoWatchdog = true;
  Object.assign(settings.serial, { driver: name, baudRate: 9600, timeoutMs: WATCHDOG_MS });
  settings.kinematics.openLoopMmpsAtFull = between(random, 400, 3000);
  const full = settings.kinematics.openLoopMmpsAtFull;
  settings.limits.maxSpeedMmps = between(random, 100, Math.min(full, 1200));
  settings.limits.accelMmps2 = between(random, 100, 2000);
  settings.limits.decelMmps2 = between(random, 100, 2000);
  return settings;
}

/**
 * Runs one round and asserts, for every speed that the board receives, that the speed is within its bounds.
 */
async function play(name: BoardName, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const settings = randomSettings(random, name);
  const { limits, kinematics } = settings;
  const clock = new FakeClock();
  const board = new ModelBoard(name, kinematics.openLoopMmpsAtFull, clock);
  const driver = createDriver({ ...settings, link: board.link, cartId: 1, clock, log: quietLog });
  const round: Round = { board, clock, driver, reports: [], stopped: undefined, frozenMs: 0 };
  driver.onMotion((report) => round.reports.push(report));
  let isFaulty = false;
  driver.onSessionFault(() => {
    isFaulty = true;
  });
  const speed = between(random, 60, limits.maxSpeedMmps);
  const isJog = random() < 0.3;
  const turn = random() < 0.4 ? between(random, -900, 900) : 0;
  const sign = random() < 0.5 ? -1 : 1;
  const distance = isJog ? sign * speed : sign * between(random, 100, 2500);
  const lease = between(random, 500, 3000);
  let leaseEndMs = Number.POSITIVE_INFINITY;
  const stop = (): void => {
    board.integrate();
    // The board rounds speeds down to a step, so while the cart brakes, the planned speed may be up to one step higher.
    const isBraking = isJog && clock.now() >= leaseEndMs;
    const mmps = Math.abs(board.mmps) + (isBraking ? board.step : 0);
    round.stopped ??= { mmps, mm: board.mm };
    driver.stop(2).catch(() => undefined);
  };
  let isMoving = false;
  let lastMs = clock.now();
  const loop = (): void => {
    const lateMs = clock.now() - lastMs - STEP_MS;
    lastMs = clock.now();
    if (isMoving && lateMs > LATE_MS) stop();
    if (!isFaulty) driver.heartbeat(true);
  };
  // After a freeze, the timers of the motion and of the control loop may run in either order.
  let cancelLoop = clock.every(STEP_MS, loop);
  const opened = driver.open();
  await advance(clock, 600);
  await opened;
  isMoving = true;
  leaseEndMs = clock.now() + lease;
  if (isJog) driver.jog(1, distance, turn, lease);
  else {
    const request = { distanceMm: distance, angleDdeg: turn, maxSpeedMmps: speed, maxDurationMs: 120_000 };
    const raw = { distanceID: distance, angleID: turn };
    await driver.move({ wireId: 1, raw, ...request, remainingTtlMs: () => 1000 });
  }
  if (random() < 0.5) {
    cancelLoop();
    cancelLoop = clock.every(STEP_MS, loop);
  }
  const stopAtMs = random() < 0.7 ? clock.now() + between(random, 50, 4000) : Number.POSITIVE_INFINITY;
  let freezes = between(random, 1, 3);
  const endMs = clock.now() + 60_000;
  const isOver = (): boolean => isFaulty || round.reports.some(({ event }) => event !== 'started');
  while (clock.now() < endMs && !isOver()) {
    if (freezes > 0 && random() < 0.03) {
      freezes -= 1;
      const ms = between(random, 50, 600);
      clock.stall(ms);
      if (round.stopped) round.frozenMs += Math.min(ms, WATCHDOG_MS);
    }
    if (clock.now() >= stopAtMs && !round.stopped) stop();
    await advance(clock, 10);
  }
  board.integrate();
  const about = `${name}, seed ${seed}: ${JSON.stringify({ speed, isJog, distance, turn, limits, kinematics })}`;
  assert.ok(isOver(), `the motion did not end; ${about}`);
  assertSpeeds(board, { speed, limits, isJog, about });
  assertStoppingDistance(round, limits.decelMmps2, about);
  assertEstimate(round, isJog, distance, about);
  cancelLoop();
  driver.close();
  assert.equal(clock.timers, 0, about);
}

async function advance(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10) {
    clock.advance(10);
    await settle();
  }
}

function assertSpeeds(
  { received, step }: ModelBoard,
  {
    speed,
    limits,
    isJog,
    about,
  }: { speed: number; limits: { accelMmps2: number }; isJog: boolean; about: string },
): void {
  // A change by one step of the board is the smallest possible change.
  const rise = limits.accelMmps2 * (STEP_MS / 1000) + step;
  let previous = 0;
  for (const { mmps, atMs } of received) {
    const fast = Math.abs(mmps);
    assert.ok(fast <= speed + 1e-6, `${fast} mm/s at ${atMs} ms exceeds ${speed} mm/s; ${about}`);
    assert.ok(
      fast <= Math.abs(previous) + rise + 1e-6,
      `${previous} to ${mmps} mm/s at ${atMs} ms; ${about}`,
    );
    assert.ok(isJog || mmps * previous >= 0, `reversed at ${atMs} ms; ${about}`);
    previous = mmps;
  }
}

/** The formula of docs/protocol.md, section 16. */
function assertStoppingDistance(
  { board, stopped, frozenMs }: Round,
  decelMmps2: number,
  about: string,
): void {
  if (!stopped) return;
  const { mmps, mm } = stopped;
  const boundMm = (mmps * (STEP_MS + frozenMs)) / 1000 + mmps ** 2 / (2 * decelMmps2);
  const drivenMm = Math.abs(board.mm - mm);
  assert.ok(drivenMm <= boundMm + 1e-6, `${drivenMm} mm after the stop, at most ${boundMm} mm; ${about}`);
}

/** The reported distance is what the board drove, and an uninterrupted move does not end too early. */
function assertEstimate({ board, reports }: Round, isJog: boolean, distance: number, about: string): void {
  const end = reports.find(({ event }) => event !== 'started');
  if (!end) return;
  // While the process is suspended, the board's watchdog counts from the last packet, but the driver counts from its
  // last step.
  const toleranceMm = 1 + (end.event === 'failed' ? board.topMmps * 0.11 : 0);
  assert.ok(
    Math.abs(end.finalMm - board.mm) <= toleranceMm,
    `${end.finalMm}, drove ${board.mm} mm; ${about}`,
  );
  if (isJog || end.event !== 'finished') return;
  const missingMm = Math.abs(distance) - Math.abs(board.mm);
  assert.ok(missingMm <= (board.step * STEP_MS) / 1000, `${missingMm} mm are missing; ${about}`);
}

for (const name of ['roboclaw', 'sabertooth'] as const) {
  // Fault case 55
  test(`suspending the process never makes a cart with a ${name} drive faster or continue to drive after a stop`, async () => {
    for (let at = 0; at < ROUNDS; at++) await play(name, testSeed() + at);
  });
}

test.run();
