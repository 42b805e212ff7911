const SAME_MS = 60_000;
/** The newest incidents stay, however old they are. */
const KEEP = 5;
/** Younger ones stay as well, so that repeated stops cannot remove the evidence of the day; */
const PROTECTED_MS = 24 * 3_600_000;
/** up to this many. */
const MOST = 10;

/** What decides about a recording. */
export interface Recorded {
  name: string;
  /** Counts up. */
  number: number;
  /** Number of the first recording of its incident. */
  incident: number;
  pinned: boolean;
  /** ms since 1970 UTC. */
  at: number;
}

/**
 * Tells whether a stop belongs to the incident of the stop before it: within 60 s of it, or without motion in between.
 * Times are monotonic, so a step of the wall clock changes nothing.
 */
export class IncidentWatch {
  #lastStopMs: number | undefined;
  #hasRested = false;
  #hasMoved = false;

  /** Braking after a stop is no motion of its own: the cart must have been at rest before. */
  look(moving: boolean): void {
    if (!moving) this.#hasRested = true;
    else if (this.#hasRested) this.#hasMoved = true;
  }

  /** Undefined for the first stop of this process: only the recordings on disk can tell. */
  stop(nowMs: number): boolean | undefined {
    const last = this.#lastStopMs;
    const continues = last === undefined ? undefined : nowMs - last <= SAME_MS || !this.#hasMoved;
    this.#lastStopMs = nowMs;
    this.#hasRested = false;
    this.#hasMoved = false;
    return continues;
  }

  /** The recording of the last stop was not kept, so that no later one can belong to it. */
  forget(): void {
    this.#lastStopMs = undefined;
  }
}

/**
 * The incident that a new recording joins; undefined for a new incident. When all places are taken by incidents of the
 * last day, it joins the newest one.
 * @param boxes newest first.
 */
export function incidentFor(
  { at, continues }: { at: number; continues: boolean | undefined },
  boxes: readonly Recorded[],
): number | undefined {
  const [newest] = boxes;
  if (!newest) return undefined;
  const sinceMs = at - newest.at;
  if (continues ?? (sinceMs >= 0 && sinceMs <= SAME_MS)) return newest.incident;
  const open = unpinnedIncidents(boxes);
  const isFull = open.length >= MOST && open.slice(MOST - 1).every((incident) => isProtected(incident, at));
  return isFull ? newest.incident : undefined;
}

/**
 * The recordings to remove: all but the first and the latest of an incident, and incidents beyond the newest five that
 * are older than a day or beyond ten. Pinned ones stay.
 * @param boxes newest first.
 */
export function expendable(boxes: readonly Recorded[], now: number): string[] {
  return unpinnedIncidents(boxes).flatMap((incident, nth) => {
    const isOld = nth >= MOST || (nth >= KEEP && !isProtected(incident, now));
    const [latest, first] = [incident[0], incident.at(-1)];
    return incident
      .filter((box) => !box.pinned && (isOld || (box !== latest && box !== first)))
      .map(({ name }) => name);
  });
}

/** Recordings by incident, newest first; incidents of pinned recordings alone take no place. */
function unpinnedIncidents(boxes: readonly Recorded[]): Recorded[][] {
  const incidents = new Map<number, Recorded[]>();
  for (const box of boxes) incidents.set(box.incident, [...(incidents.get(box.incident) ?? []), box]);
  return [...incidents.values()].filter((incident) => incident.some(({ pinned }) => !pinned));
}

/** A recording from the future was made before the clock was set back, and counts as old. */
function isProtected([latest]: readonly Recorded[], now: number): boolean {
  return latest !== undefined && Math.abs(now - latest.at) < PROTECTED_MS;
}
