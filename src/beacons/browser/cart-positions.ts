import type { CartPosition, Pose } from '../../carts/command/model.js';
import type { StateStore } from '../../web/browser/live/state-store.js';
import { TangentPlane } from '../positioning/geodesy.js';
import { bearingOf, type TrackPoint, turnOf } from '../positioning/heading.js';
import type { Heard, Position } from '../positioning/observation.js';

/** What a cart hears and where that puts it. */
export interface Sight {
  cartID: number;
  name: string;
  heard: readonly Heard[];
  position: Position | null;
  /** Why there is no position; a sentence of the gateway's, empty when there is one. */
  why: string;
  /** Degrees clockwise from north, when beacons and odometer agree on it. */
  bearingDeg: number | undefined;
  /** ms since the cart heard it. */
  ageMs: number;
  /** Where it was before, oldest first. */
  trail: readonly Position[];
}

/** What was heard longer ago tells nothing of now. */
export const FORGET_MS = 10_000;
const MAX_TRACK = 60;
/** An odometer that jumps was set to zero: the cart was switched off and on. */
const JUMP_MM = 2000;

interface Track {
  heardAt: string;
  pose: Pose | undefined;
  trail: Position[];
  odometer: Pose[];
}

/** Follows what carts hear, and remembers their way for as long as the page is open. */
export class Sights {
  #tracks = new Map<number, Track>();

  /** What is known now of every cart that was heard of in the last seconds, by cart. */
  of(picture: StateStore): Sight[] {
    const now = performance.now();
    const sights = [...picture.positions.values()].map((position): Sight => {
      const { cartID } = position;
      const pose = picture.carts.get(cartID)?.pose;
      const observation = position.observation as {
        beacons: Heard[];
        position: Position | null;
        message?: string;
      };
      const track = this.#follow(position, observation.position, pose);
      const turn = turnOf(trackPoints(track));
      return {
        cartID,
        name: picture.carts.get(cartID)?.name ?? `Cart ${cartID}`,
        heard: observation.beacons,
        position: observation.position,
        why: observation.message ?? '',
        bearingDeg: pose && turn !== undefined ? bearingOf(pose.headingDeg, turn) : undefined,
        ageMs: now - position.at,
        trail: track.trail,
      };
    });
    return sights.sort((a, b) => a.cartID - b.cartID);
  }

  #follow({ cartID, heardAt }: CartPosition, place: Position | null, pose: Pose | undefined): Track {
    const known = this.#tracks.get(cartID);
    const isJump =
      known?.pose && pose && Math.hypot(pose.xMm - known.pose.xMm, pose.yMm - known.pose.yMm) > JUMP_MM;
    const track = known && !isJump ? known : { heardAt: '', pose, trail: [], odometer: [] };
    this.#tracks.set(cartID, track);
    track.pose = pose;
    if (place && track.heardAt !== heardAt) {
      track.heardAt = heardAt;
      track.trail.push(place);
      // Without an odometer the two lists would not go together.
      if (pose) track.odometer.push(pose);
      else track.odometer.length = 0;
      for (const list of [track.trail, track.odometer]) if (list.length > MAX_TRACK) list.shift();
    }
    return track;
  }
}

/** The last places with the odometer's of the same moments, metres. */
function trackPoints({ trail, odometer }: Track): TrackPoint[] {
  if (odometer.length === 0) return [];
  const places = trail.slice(-odometer.length);
  const plane = new TangentPlane(places);
  return places.map((place, i) => {
    const { xMm, yMm } = odometer[i] ?? { xMm: 0, yMm: 0 };
    return { fix: plane.toPlane(place), odometer: { x: xMm / 1000, y: yMm / 1000 } };
  });
}
