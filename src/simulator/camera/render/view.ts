import type { ScenePose, SceneState } from '../scene.js';

/** Height of the camera above the floor. */
const HEIGHT_MM = 200;
const RAD = Math.PI / 180;

/** Position and direction of the camera, and its surroundings. */
export class View {
  readonly scene: SceneState;
  readonly xMm: number;
  readonly yMm: number;
  readonly heightMm = HEIGHT_MM;
  readonly cos: number;
  readonly sin: number;

  constructor(scene: SceneState, cart: ScenePose) {
    const { xMm, yMm, headingDeg } = scene.mount;
    const [cartCos, cartSin] = [Math.cos(cart.headingDeg * RAD), Math.sin(cart.headingDeg * RAD)];
    const heading = (cart.headingDeg + headingDeg) * RAD;
    this.scene = scene;
    this.cos = Math.cos(heading);
    this.sin = Math.sin(heading);
    this.xMm = cart.xMm + xMm * cartCos - yMm * cartSin;
    this.yMm = cart.yMm + xMm * cartSin + yMm * cartCos;
  }

  /** Converts a point on the plan to mm to the right of the camera and ahead of it. */
  relative(xMm: number, yMm: number): [right: number, ahead: number] {
    const [x, y] = [xMm - this.xMm, yMm - this.yMm];
    return [x * this.sin - y * this.cos, x * this.cos + y * this.sin];
  }
}
