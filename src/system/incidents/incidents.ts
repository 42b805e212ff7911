const SAME_INCIDENT_MS = 60_000;
const MIN_KEPT = 5;
/** Newer incidents (at most `MAX_KEPT`) are kept, so that further incidents do not displace them. */
const PROTECTED_MS = 24 * 3_600_000;
const MAX_KEPT = 10;

export interface Recording {
  name: string;
  /** Sequence number. */
  number: number;
  /** Sequence number of the incident's first recording. */
  incident: number;
  pinned: boolean;
  /** Unix time in ms. */
  at: number;
}

/** A stop belongs to the previous stop's incident if it follows within 60 s or the cart has not moved since. */
export class IncidentWatch {
  #lastStopMs: number | undefined;
  #hasRested = false;
  #hasMoved = false;

  /** Ignores motion until the cart is stationary, because the cart may still be braking. */
  observe(moving: boolean): void {
    if (!moving) this.#hasRested = true;
    else if (this.#hasRested) this.#hasMoved = true;
  }

  /** Returns true if the stop belongs to the last incident, or undefined if no previous stop was recorded. */
  stop(nowMs: number): boolean | undefined {
    const last = this.#lastStopMs;
    const continues = last === undefined ? undefined : nowMs - last <= SAME_INCIDENT_MS || !this.#hasMoved;
    this.#lastStopMs = nowMs;
    this.#hasRested = false;
    this.#hasMoved = false;
    return continues;
  }

  /** Call this if a stop could not be recorded, so that no later stop joins its incident. */
  forget(): void {
    this.#lastStopMs = undefined;
  }
}

/**
 * Returns the incident to which a new recording belongs, or undefined for a new incident. If there are ten
 * unpinned incidents from the last 24 hours, the recording is added to the latest incident.
 * @param recordings newest first.
 */
export function incidentFor(
  { at, continues }: { at: number; continues: boolean | undefined },
  recordings: readonly Recording[],
): number | undefined {
  const [newest] = recordings;
  if (!newest) return undefined;
  const sinceMs = at - newest.at;
  if (continues ?? (sinceMs >= 0 && sinceMs <= SAME_INCIDENT_MS)) return newest.incident;
  const open = unpinnedIncidents(recordings);
  const isFull =
    open.length >= MAX_KEPT && open.slice(MAX_KEPT - 1).every((incident) => isProtected(incident, at));
  return isFull ? newest.incident : undefined;
}

/**
 * Returns the unpinned recordings to remove:
 * - recordings between the first and the latest recording of an incident.
 * - incidents older than a day that are not among the newest five.
 * - incidents that are not among the newest ten.
 * @param recordings newest first.
 */
export function expendable(recordings: readonly Recording[], now: number): string[] {
  return unpinnedIncidents(recordings).flatMap((incident, nth) => {
    const isOld = nth >= MAX_KEPT || (nth >= MIN_KEPT && !isProtected(incident, now));
    const [latest, first] = [incident[0], incident.at(-1)];
    return incident
      .filter((recording) => !recording.pinned && (isOld || (recording !== latest && recording !== first)))
      .map(({ name }) => name);
  });
}

/** Groups recordings by incident, newest first. Omits incidents whose recordings are all pinned. */
function unpinnedIncidents(recordings: readonly Recording[]): Recording[][] {
  const incidents = new Map<number, Recording[]>();
  for (const recording of recordings)
    incidents.set(recording.incident, [...(incidents.get(recording.incident) ?? []), recording]);
  return [...incidents.values()].filter((incident) => incident.some(({ pinned }) => !pinned));
}

/** A time more than a day in the future counts as old, because the clock must have been corrected since. */
function isProtected([latest]: readonly Recording[], now: number): boolean {
  return latest !== undefined && Math.abs(now - latest.at) < PROTECTED_MS;
}
