import {
  MARKERS,
  movedAlongWall,
  quantile,
  simulateDrive,
} from '../test/unit/navigation/localization/simulated-drive.js';
import { verdict } from './verdict.js';

/** Measures the accuracy of the localization in simulated drives with slip and with a misplaced marker. */

const DRIVES = 20;
const METRES = 100;

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
  const { localizer, mm } = simulateDrive({ seed: 100 + marker.id, metres: METRES, real });
  const most = quantile(mm, 1);
  const named = localizer.suspicious.join(', ') || 'none';
  verdict(
    `marker ${marker.id} moved by 1 m`,
    `maximum ${most.toFixed(0)} mm, p99 ${quantile(mm, 0.99).toFixed(0)} mm, suspicious: ${named}`,
    `<= 100 mm, suspicious: ${marker.id}`,
    most <= 100 && named === String(marker.id),
  );
}
