import type { Beacon } from '../registry/schema.js';

/** More are not drawn: a map with more dots says nothing, and a tablet has to move them all. */
export const MAX_DRAWN = 10_000;
const PAGE = 1000;

/** The beacons, in pages, up to so many as are drawn; undefined when the gateway did not answer. */
export async function loadBeacons(): Promise<Beacon[] | undefined> {
  const beacons: Beacon[] = [];
  try {
    while (beacons.length < MAX_DRAWN) {
      const after = encodeURIComponent(beacons.at(-1)?.id ?? '');
      const answer = await fetch(`/beacons?limit=${PAGE}&after=${after}`, { cache: 'no-cache' });
      if (!answer.ok) return undefined;
      const page = (await answer.json()) as Beacon[];
      beacons.push(...page);
      if (page.length < PAGE) break;
    }
    return beacons;
  } catch {
    return undefined;
  }
}
