import {
  bearingOf,
  odometerRotation,
  type Position,
  type ReceivedBeacon,
  type TrackPoint,
} from '../../../beacons/pure.js';
import { type CartPose, type CartPosition, POSITION_KEPT_MS } from '../../../carts/pure.js';
import { TangentPlane } from '../../../plan/pure.js';
import type { StateStore } from '../../browser/live/state-store.js';
import type { CartCorner } from './cart-outline.js';

export interface CartTrack {
  cartID: number;
  name: string;
  received: readonly ReceivedBeacon[];
  position: Position | null;
  /** Why the gateway has no position for the cart; empty if the position is known. */
  reason: string;
  /** Degrees clockwise from north; undefined if the beacon and odometer tracks cannot be matched. */
  bearingDeg: number | undefined;
  ageMs: number;
  trail: readonly Position[];
  /** True if the position is relative to an assumed starting position. */
  isAssumed?: boolean;
  footprint?: readonly CartCorner[];
  /** The area that the cart covers until it has stopped if it brakes now. */
  stoppingArea?: readonly CartCorner[];
}

/** Above this age in ms, the map hides received beacons and distance circles. */
export const RECENT_MS = 10_000;
const MAX_TRACK = 60;
/** A jump in the odometer's position by more than this distance in mm means that the odometer was reset. */
const JUMP_MM = 2000;

interface History {
  heardAt: string;
  pose: CartPose | undefined;
  trail: Position[];
  odometer: CartPose[];
}

/** Stores each cart's trail while the page is open. */
export class CartTracker {
  #histories = new Map<number, History>();

  update(state: StateStore): CartTrack[] {
    const now = performance.now();
    const kept = [...state.positions.values()].filter(({ at }) => now - at <= POSITION_KEPT_MS);
    const tracks = kept.map((position): CartTrack => {
      const { cartID } = position;
      const pose = state.carts.get(cartID)?.pose;
      const observation = position.observation as {
        beacons: ReceivedBeacon[];
        position: Position | null;
        message?: string;
      };
      const history = this.#record(position, observation.position, pose);
      const rotation = odometerRotation(trackPoints(history));
      return {
        cartID,
        name: state.carts.get(cartID)?.name ?? `Cart ${cartID}`,
        received: observation.beacons,
        position: observation.position,
        reason: observation.message ?? '',
        bearingDeg: pose && rotation !== undefined ? bearingOf(pose.headingDeg, rotation) : undefined,
        ageMs: now - position.at,
        trail: history.trail,
      };
    });
    return tracks.sort((a, b) => a.cartID - b.cartID);
  }

  #record({ cartID, heardAt }: CartPosition, position: Position | null, pose: CartPose | undefined): History {
    const old = this.#histories.get(cartID);
    const isJump =
      old?.pose && pose && Math.hypot(pose.xMm - old.pose.xMm, pose.yMm - old.pose.yMm) > JUMP_MM;
    const history = old && !isJump ? old : { heardAt: '', pose, trail: [], odometer: [] };
    this.#histories.set(cartID, history);
    history.pose = pose;
    if (position && history.heardAt !== heardAt) {
      history.heardAt = heardAt;
      history.trail.push(position);
      // The last entries of `trail` must correspond to the entries of `odometer`.
      if (pose) history.odometer.push(pose);
      else history.odometer.length = 0;
      for (const list of [history.trail, history.odometer]) if (list.length > MAX_TRACK) list.shift();
    }
    return history;
  }
}

function trackPoints({ trail, odometer }: History): TrackPoint[] {
  if (odometer.length === 0) return [];
  const positions = trail.slice(-odometer.length);
  const plane = new TangentPlane(positions);
  return positions.map((position, i) => {
    const { xMm, yMm } = odometer[i] ?? { xMm: 0, yMm: 0 };
    return { fix: plane.toPlane(position), odometer: { x: xMm / 1000, y: yMm / 1000 } };
  });
}
