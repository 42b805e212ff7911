const SAME_INCIDENT_MS = 60_000;
/** This many of the most recent incidents are always kept. */
const MIN_KEPT = 5;
/**
 * Incidents younger than this are kept, up to a total of `MAX_KEPT`, so that repeated stops cannot displace
 * the recordings of the last day.
 */
const PROTECTED_MS = 24 * 3_600_000;
const MAX_KEPT = 10;

export interface Recording {
  name: string;
  /** Sequence number. */
  number: number;
  /** Number of the first recording of its incident. */
  incident: number;
  pinned: boolean;
  /** ms since 1970 UTC. */
  at: number;
}

/**
 * Decides whether a stop belongs to the same incident as the previous stop. It does if it occurs within 60 s
 * of that stop, or if the cart has not moved in between. Times are monotonic, so wall-clock changes have no
 * effect.
 */
export class IncidentWatch {
  #lastStopMs: number | undefined;
  #hasRested = false;
  #hasMoved = false;

  /** Braking after a stop does not count as motion: the cart must have come to rest first. */
  observe(moving: boolean): void {
    if (!moving) this.#hasRested = true;
    else if (this.#hasRested) this.#hasMoved = true;
  }

  /**
   * Returns true if the stop belongs to the previous stop's incident. Returns undefined for the first stop of
   * this process, because only the recordings on disk can decide that case.
   */
  stop(nowMs: number): boolean | undefined {
    const last = this.#lastStopMs;
    const continues = last === undefined ? undefined : nowMs - last <= SAME_INCIDENT_MS || !this.#hasMoved;
    this.#lastStopMs = nowMs;
    this.#hasRested = false;
    this.#hasMoved = false;
    return continues;
  }

  /** Must be called if the last stop could not be recorded, so that no later stop joins its incident. */
  forget(): void {
    this.#lastStopMs = undefined;
  }
}

/**
 * Returns the number of the incident that a new recording joins, or undefined if the recording starts a new
 * incident. If the last day already has the maximum number of incidents, the recording joins the latest one.
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
 * Returns the names of the recordings to remove: recordings between the first and the latest of an incident,
 * incidents that are older than a day and not among the latest five, and incidents that are not among the
 * latest ten. Pinned recordings are kept.
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

/** Groups the recordings by incident, newest first. Omits incidents whose recordings are all pinned. */
function unpinnedIncidents(recordings: readonly Recording[]): Recording[][] {
  const incidents = new Map<number, Recording[]>();
  for (const recording of recordings)
    incidents.set(recording.incident, [...(incidents.get(recording.incident) ?? []), recording]);
  return [...incidents.values()].filter((incident) => incident.some(({ pinned }) => !pinned));
}

/**
 * A recording whose date is more than a day in the future was made before the clock was set back; it counts
 * as old.
 */
function isProtected([latest]: readonly Recording[], now: number): boolean {
  return latest !== undefined && Math.abs(now - latest.at) < PROTECTED_MS;
}
