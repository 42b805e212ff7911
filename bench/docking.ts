import { type Docking, simulateDocking } from '../test/unit/navigation/approach/simulated-docking.js';
import { quantile } from '../test/unit/navigation/localization/simulated-drive.js';
import { verdict } from './verdict.js';

/** Docks in closed-loop simulations with slipping wheels, noise, and 1 in 20 images lost. */

const DOCKS = 200;

function report(name: string, docks: readonly Docking[]): void {
  const finished = docks.filter(({ state }) => state.phase === 'FINISHED');
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  print(`${name}:`);
  verdict('finished', `${finished.length} of ${DOCKS}`, `${DOCKS}`, finished.length === DOCKS);
  const [mm, deg] = [finished.map((dock) => dock.mm), finished.map((dock) => dock.deg)];
  const [mm95, deg95] = [quantile(mm, 0.95), quantile(deg, 0.95)];
  verdict('position p95', `${mm95.toFixed(1)} mm`, '<= 10 mm', mm95 <= 10);
  verdict('heading p95', `${deg95.toFixed(2)} degrees`, '<= 1 degree', deg95 <= 1);
  print(`maximum error: ${Math.max(...mm).toFixed(1)} mm, ${Math.max(...deg).toFixed(2)} degrees`);
  const seconds = finished.map((dock) => dock.seconds);
  print(
    `duration: median ${quantile(seconds, 0.5).toFixed(0)} s, p95 ${quantile(seconds, 0.95).toFixed(0)} s`,
  );
  const reasons = docks.flatMap(({ state }) => (state.phase === 'FAILED' ? [state.reason] : []));
  if (reasons.length > 0) print(`failed: ${reasons.join(', ')}`);
  for (let from = 0; from <= Math.max(...mm); from += 2) {
    const count = mm.filter((value) => value >= from && value < from + 2).length;
    print(`${String(from).padStart(3)} to ${from + 2} mm ${'#'.repeat(count)} ${count}`);
  }
}

const seeds = Array.from({ length: DOCKS }, (_, seed) => seed);
report(
  'units of 1 mm and 0.1 degrees',
  seeds.map((seed) => simulateDocking({ seed })),
);
report(
  'units of 1 mm and 1 degree',
  seeds.map((seed) => simulateDocking({ seed, resolution: { mm: 1, deg: 1 } })),
);
