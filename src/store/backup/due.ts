const HOUR_MS = 3_600_000;
const NIGHT_HOURS = [2, 3, 4];

/**
 * Whether it is time for the daily backup: at night, or at any hour when the machine is off at night. `ranMs` is the
 * time since the last try of this process on the monotonic clock; it decides when the wall clock is behind the newest
 * backup, as it is on a Pi that has not heard from a time server yet.
 */
export function isBackupDue(wallMs: number, newestAt: number | undefined, ranMs: number): boolean {
  if (newestAt === undefined) return true;
  const ageMs = wallMs - newestAt;
  if (ageMs < 0) return ranMs >= 24 * HOUR_MS;
  const isNight = NIGHT_HOURS.includes(new Date(wallMs).getHours());
  return ageMs >= (isNight ? 20 : 26) * HOUR_MS;
}
