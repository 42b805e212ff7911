import type { Sighting } from '../markers/model.js';

/**
 * Returns the marker in an image; undefined if the image does not show it, shows it more than once, or shows
 * it rotated by more than 45 degrees, because such a marker is not mounted as intended.
 */
export function clearSighting(sightings: readonly Sighting[], id: number): Sighting | undefined {
  const [sighting, ...others] = sightings.filter((each) => each.id === id);
  return sighting && others.length === 0 && isUpright(sighting) ? sighting : undefined;
}

function isUpright({ corners: [lowerLeft, lowerRight, upperRight, upperLeft] }: Sighting): boolean {
  const upX = upperLeft.x + upperRight.x - lowerLeft.x - lowerRight.x;
  // In images, y points down.
  const upY = lowerLeft.y + lowerRight.y - upperLeft.y - upperRight.y;
  return upY > Math.abs(upX);
}
