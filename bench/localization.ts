import { randomFrom } from '../src/simulator/physics/physics.js';
import {
  FAR,
  LOST,
  MARKERS,
  movedAlongWall,
  quantile,
  simulateDrive,
  VIEW,
} from '../test/unit/navigation/localization/simulated-drive.js';
import { renderedLook } from './rendered-look.js';
import { verdict } from './verdict.js';

/**
 * Measures the accuracy of the localization in simulated drives with slip and with a misplaced marker. First compares
 * the share of the markers that the simulated drives find with the share found in rendered images of 1280x720.
 */

const DRIVES = 20;
const METRES = 100;
/** Drives for each misplaced marker. */
const MOVED_DRIVES = 26;
const IMAGES = 200;
/** Share of the field of view in which the whole marker is visible. */
const INSIDE = 0.9;

/** Returns the share of the markers found at random ranges, bearings and yaws. */
function foundShare(fromMm: number, toMm: number): number {
  const random = randomFrom(5);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const marker = { id: 3, sizeMm: 150, xMm: 0, yMm: 0, headingDeg: 0, purpose: 'reference' } as const;
  const mount = { xMm: 0, yMm: 0, headingDeg: 0 };
  const look = renderedLook({ size: { width: 1280, height: 720 }, mount, marker, seed: 5 });
  const found = Array.from({ length: IMAGES }, () => {
    const [rangeMm, directionDeg] = [between(fromMm, toMm), between(-VIEW.maxYawDeg, VIEW.maxYawDeg)];
    const direction = (directionDeg * Math.PI) / 180;
    const headingDeg = 180 + directionDeg + INSIDE * between(-VIEW.halfAngleDeg, VIEW.halfAngleDeg);
    return look({ xMm: rangeMm * Math.cos(direction), yMm: rangeMm * Math.sin(direction), headingDeg });
  });
  return found.filter(Boolean).length / IMAGES;
}

for (const [fromMm, toMm, least] of [
  [1000, FAR.fromMm, 1 - LOST],
  [FAR.fromMm, VIEW.maxRangeMm, FAR.found],
] as const) {
  const share = foundShare(fromMm, toMm);
  const name = `markers found at ${fromMm / 1000} to ${toMm / 1000} m`;
  verdict(name, share.toFixed(2), `>= ${least}, as in the drives`, share >= least);
}

const drives = Array.from({ length: DRIVES }, (_, seed) => simulateDrive({ seed, metres: METRES }));
const all = (of: 'mm' | 'deg' | 'odometryMm' | 'odometryDeg'): number[] =>
  drives.flatMap((drive) => drive[of]);
const p95 = (of: Parameters<typeof all>[0]): number => quantile(all(of), 0.95);
verdict('position p95', `${p95('mm').toFixed(0)} mm`, '<= 50 mm', p95('mm') <= 50);
verdict('heading p95', `${p95('deg').toFixed(2)} degrees`, '<= 2 degrees', p95('deg') <= 2);
const print = (text: string): void => void process.stdout.write(`${text}\n`);
print(`odometry alone: p95 ${p95('odometryMm').toFixed(0)} mm, ${p95('odometryDeg').toFixed(1)} degrees`);
print(
  `maximum error: ${quantile(all('mm'), 1).toFixed(0)} mm, ${quantile(all('deg'), 1).toFixed(1)} degrees`,
);
print(
  `share of the time in state GOOD: ${(drives.reduce((sum, { good }) => sum + good, 0) / DRIVES).toFixed(3)}`,
);
const accused = drives.flatMap(({ localizer }) => localizer.suspicious);
verdict('correct markers reported as suspicious', `${accused.length}`, '0', accused.length === 0);

for (const marker of MARKERS) {
  const real = MARKERS.map((other) => (other === marker ? movedAlongWall(marker, 1000) : other));
  const moved = Array.from({ length: MOVED_DRIVES }, (_, i) =>
    simulateDrive({ seed: 100 * (i + 1) + marker.id, metres: METRES, real }),
  );
  const mm = moved.flatMap((drive) => drive.mm);
  const [most, p99] = [quantile(mm, 1), quantile(mm, 0.99)];
  const named = [...new Set(moved.map(({ localizer }) => localizer.suspicious.join(', ') || 'none'))].join(
    '; ',
  );
  verdict(
    `marker ${marker.id} moved by 1 m`,
    `maximum ${most.toFixed(0)} mm, p99 ${p99.toFixed(0)} mm, suspicious: ${named}`,
    `<= 100 mm, suspicious: ${marker.id}`,
    most <= 100 && named === String(marker.id),
  );
}
