const SAME_INCIDENT_MS = 60_000;
/** Number of most recent incidents that are always kept. */
const MIN_KEPT = 5;
/**
 * Incidents younger than this are kept up to `MAX_KEPT`, so that repeated stops cannot displace the day's
 * evidence.
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
 * Decides whether a stop belongs to the previous stop's incident: it does if it is within 60 s of that stop,
 * or if there was no motion in between. Times are monotonic, so wall-clock steps have no effect.
 */
export class IncidentWatch {
  #lastStopMs: number | undefined;
  #hasRested = false;
  #hasMoved = false;

  /** Braking after a stop does not count as motion: the cart must have been at rest in between. */
  observe(moving: boolean): void {
    if (!moving) this.#hasRested = true;
    else if (this.#hasRested) this.#hasMoved = true;
  }

  /** Returns undefined for this process's first stop: only the recordings on disk can decide that case. */
  stop(nowMs: number): boolean | undefined {
    const last = this.#lastStopMs;
    const continues = last === undefined ? undefined : nowMs - last <= SAME_INCIDENT_MS || !this.#hasMoved;
    this.#lastStopMs = nowMs;
    this.#hasRested = false;
    this.#hasMoved = false;
    return continues;
  }

  /** Must be called if recording the last stop failed, so that no later stop joins it. */
  forget(): void {
    this.#lastStopMs = undefined;
  }
}

/**
 * The incident that a new recording joins; undefined for a new incident. If the last day already has the
 * maximum number of incidents, it joins the latest one.
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
 * The recordings to remove: all but the first and the latest of an incident, incidents older than a day
 * except the latest five, and all incidents except the latest ten. Pinned recordings are kept.
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

/** Recordings by incident, newest first, excluding incidents whose recordings are all pinned. */
function unpinnedIncidents(recordings: readonly Recording[]): Recording[][] {
  const incidents = new Map<number, Recording[]>();
  for (const recording of recordings)
    incidents.set(recording.incident, [...(incidents.get(recording.incident) ?? []), recording]);
  return [...incidents.values()].filter((incident) => incident.some(({ pinned }) => !pinned));
}

/** A recording dated in the future was made before the clock was set back; it counts as old. */
function isProtected([latest]: readonly Recording[], now: number): boolean {
  return latest !== undefined && Math.abs(now - latest.at) < PROTECTED_MS;
}
