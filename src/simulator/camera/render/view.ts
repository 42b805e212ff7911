import type { Pose, SceneState } from '../scene.js';
import { MOUNT } from './lens.js';

/** Position and direction of the camera, and what surrounds it. */
export class View {
  readonly scene: SceneState;
  readonly xMm: number;
  readonly yMm: number;
  readonly heightMm = MOUNT.heightMm;
  readonly cos: number;
  readonly sin: number;

  constructor(scene: SceneState, cart: Pose) {
    const heading = (cart.headingDeg * Math.PI) / 180;
    this.scene = scene;
    this.cos = Math.cos(heading);
    this.sin = Math.sin(heading);
    this.xMm = cart.xMm + MOUNT.forwardMm * this.cos - MOUNT.leftMm * this.sin;
    this.yMm = cart.yMm + MOUNT.forwardMm * this.sin + MOUNT.leftMm * this.cos;
  }

  /** Converts a point on the plan to mm to the right of the camera and ahead of it. */
  relative(xMm: number, yMm: number): [right: number, ahead: number] {
    const [x, y] = [xMm - this.xMm, yMm - this.yMm];
    return [x * this.sin - y * this.cos, x * this.cos + y * this.sin];
  }
}
