import type { MapPose } from '../../positioning/drive-target.js';
import type { PlanFrame } from '../../positioning/plan-frame.js';

/**
 * Sends the operator's placement of the cart to the gateway, so that markers and beacons can correct it. If
 * the request fails, the cart is still shown where it was placed.
 */
export async function placeOnPlan(at: MapPose, frame: PlanFrame): Promise<void> {
  const body = JSON.stringify({ ...frame.toPlan(at), headingDeg: frame.turned(at.bearingDeg) });
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  await fetch('/navigation/location', { method: 'PUT', headers, body }).catch(() => undefined);
}
