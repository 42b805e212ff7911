import { AprilTagDetector } from '../src/adapters/apriltag/apriltag.js';
import type { Measured } from '../src/navigation/approach/model.js';
import { measure } from '../src/navigation/markers/measure.js';
import type { Marker, Pose } from '../src/navigation/markers/model.js';
import { JpegEncoder } from '../src/simulator/camera/jpeg/encoder.js';
import { lensModel } from '../src/simulator/camera/render/lens.js';
import { Picture } from '../src/simulator/camera/render/picture.js';
import { Renderer } from '../src/simulator/camera/render/renderer.js';
import { randomFrom } from '../src/simulator/physics/physics.js';

const NOISE = 4;

interface LookOptions {
  size: { width: number; height: number };
  /** Pose of the camera in the cart's frame. */
  mount: Pose;
  marker: Marker;
  seed: number;
}

const detector = new AprilTagDetector();

/** Returns a function that draws what the cart sees, and measures the marker in the image. */
export function renderedLook({ size, mount, marker, seed }: LookOptions) {
  const { width, height } = size;
  const renderer = new Renderer({ ...size, random: randomFrom(seed) });
  const encoder = new JpegEncoder(new Picture(width, height), 85);
  const camera = lensModel(width, height);
  const { id, sizeMm } = marker;
  return (cart: Pose): Measured | undefined => {
    const scene = { mount, walls: [], markers: [marker], carts: [], faults: { cameraNoise: NOISE } };
    const jpeg = encoder.encode(renderer.draw({ ...scene, pose: { ...cart } }));
    const { markers } = detector.detect(jpeg, size);
    return measure(markers, { camera, sizesMm: { [id]: sizeMm }, otherSizeMm: null })[0];
  };
}
