const SAME_INCIDENT_MS = 60_000;
/** Number of latest incidents that are always kept. */
const MIN_KEPT = 5;
/** Incidents younger than this are kept, up to `MAX_KEPT`, so that repeated stops do not displace them. */
const PROTECTED_MS = 24 * 3_600_000;
const MAX_KEPT = 10;

export interface Recording {
  name: string;
  /** Sequence number. */
  number: number;
  /** Number of the incident's first recording. */
  incident: number;
  pinned: boolean;
  /** ms since 1970 UTC. */
  at: number;
}

/** A stop continues an incident if it follows within 60 s or the cart has not moved since. */
export class IncidentWatch {
  #lastStopMs: number | undefined;
  #hasRested = false;
  #hasMoved = false;

  /** Braking does not count as motion: the cart must have come to rest first. */
  observe(moving: boolean): void {
    if (!moving) this.#hasRested = true;
    else if (this.#hasRested) this.#hasMoved = true;
  }

  /** Returns true if the stop continues the last incident, or undefined if the recordings must decide. */
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
 * Returns the incident that a recording joins, or undefined for a new incident. Beyond the daily maximum, a
 * recording joins the latest incident.
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
 * Returns the recordings to remove, none of them pinned:
 * - recordings between an incident's first and latest recording.
 * - incidents older than a day that are not among the latest five.
 * - incidents that are not among the latest ten.
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

/** A date more than a day in the future predates a clock correction and counts as old. */
function isProtected([latest]: readonly Recording[], now: number): boolean {
  return latest !== undefined && Math.abs(now - latest.at) < PROTECTED_MS;
}
