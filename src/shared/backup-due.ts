const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const NIGHT_HOURS = [2, 3, 4];

/**
 * A backup is due at night from 4 h before the end of the period, and at any time from 2 h after the end of the period,
 * because the machine may be off at night. If the newest backup is at most a day in the future, the time since the
 * latest attempt applies instead: the wall clock of a Pi may be wrong until it is synchronized.
 */
export function isBackupDue(
  wallMs: number,
  newestAt: number | undefined,
  sinceAttemptMs: number,
  periodMs = DAY_MS,
): boolean {
  if (newestAt === undefined || isFarInFuture(wallMs, newestAt)) return true;
  const ageMs = wallMs - newestAt;
  if (ageMs < 0) return sinceAttemptMs >= periodMs;
  const isNight = NIGHT_HOURS.includes(new Date(wallMs).getHours());
  return ageMs >= periodMs + (isNight ? -4 : 2) * HOUR_MS;
}

/** True if one of the two times is wrong, so that the age of a backup is unknown. */
export function isFarInFuture(wallMs: number, at: number): boolean {
  return at - wallMs > DAY_MS;
}
