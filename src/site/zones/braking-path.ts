import { approach } from '../../shared/motion-profile.js';
import { type Arc, type Placement, poseOn } from './sweep.js';

const PIECE_S = 0.05;
const RAD = Math.PI / 180;

export interface Velocity {
  speedMmps: number;
  turnDegps: number;
}

export interface Ramps {
  accelMmps2: number;
  decelMmps2: number;
  turnAccelDegps2: number;
  turnDecelDegps2: number;
}

/**
 * Returns the path of a cart that changes its velocity for the reaction time and then brakes. The controller ramps the
 * speed and the turn rate independently, so the curvature changes on the way.
 */
export function brakingPath(
  start: Placement,
  { from, to, reactionS }: { from: Velocity; to: Velocity; reactionS: number },
  ramps: Ramps,
): Arc[] {
  const drive = { accel: ramps.accelMmps2, decel: ramps.decelMmps2 };
  const turning = { accel: ramps.turnAccelDegps2, decel: ramps.turnDecelDegps2 };
  const path: Arc[] = [];
  let pose = start;
  let { speedMmps: speed, turnDegps: turn } = from;
  for (let atS = 0; atS < reactionS || speed !== 0 || turn !== 0; atS += PIECE_S) {
    const goal = atS < reactionS ? to : { speedMmps: 0, turnDegps: 0 };
    const [nextSpeed, nextTurn] = [
      approach(speed, goal.speedMmps, drive, PIECE_S),
      approach(turn, goal.turnDegps, turning, PIECE_S),
    ];
    const lengthMm = ((speed + nextSpeed) / 2) * PIECE_S;
    const arc = { start: pose, lengthMm, turnRad: ((turn + nextTurn) / 2) * PIECE_S * RAD };
    if (arc.lengthMm !== 0 || arc.turnRad !== 0) path.push(arc);
    pose = poseOn(arc, 1);
    [speed, turn] = [nextSpeed, nextTurn];
  }
  return path;
}
