import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Libcamera } from '../../adapters/libcamera/libcamera.js';
import { findProgram } from '../../adapters/libcamera/shim.js';
import { Camera, CameraSource, type ImageSource } from '../../camera/index.js';
import type { Cart } from '../../carts/index.js';
import type { CameraSection, SettingsService } from '../../settings/index.js';
import { messageOf } from '../../shared/errors.js';
import { moduleUrl } from '../../shared/package-root.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { CameraScene, SceneState } from '../../simulator/camera/scene.js';
import { publishScene } from '../../simulator/camera/scene-file.js';
import type { AppContext } from '../context.js';
import type { Machine } from '../pins/hardware.js';

interface ImageSourceOptions {
  settings: Pick<SettingsService, 'current' | 'onChange'>;
  machine: Machine;
  /** Returns what a simulated camera sees. */
  scene: () => SceneState;
  /** Returns true while a cart of this gateway is moving. */
  isMoving: () => boolean;
  dataDir: string;
  clock: Clock;
  log: Log;
}

const SIMULATED_CAMERA = fileURLToPath(moduleUrl('cli/simulate-camera.js'));

interface CameraModules {
  scene: CameraScene;
  ownCart: { cart: Pick<Cart, 'busy'> };
}

export async function openCamera(
  { config, settings, machine, clock, log }: AppContext,
  { scene, ownCart }: CameraModules,
): Promise<Camera> {
  const { dataDir } = config;
  const source = await openImageSource({
    settings,
    machine,
    scene: () => scene.state(),
    isMoving: () => ownCart.cart.busy,
    dataDir,
    clock,
    log,
  });
  return Camera.open({ source, photosDir: join(dataDir, 'photos'), clock, log });
}

/** Does not reject if the camera is unusable: the image source reports the reason. */
export async function openImageSource({
  settings,
  machine,
  scene,
  isMoving,
  dataDir,
  clock,
  log,
}: ImageSourceOptions): Promise<ImageSource> {
  const choose = () => isSimulated(settings.current.camera, machine);
  let simulated = choose();
  const device = new Libcamera({
    dataDir,
    simulated: () => (simulated ? [process.execPath, SIMULATED_CAMERA] : undefined),
    environment: (runDir) => ({
      CARTWRIGHT_CAMERA_FAULT: process.env.CARTWRIGHT_CAMERA_FAULT ?? '',
      CARTWRIGHT_CAMERA_SCENE: scenePath(runDir),
      CARTWRIGHT_CAMERA_LOCK: join(runDir, 'simulated-camera.lock'),
    }),
    clock,
    log,
  });
  const runDir = await device.open().catch((error: unknown) => {
    log.warn('camera.unusable', { reason: messageOf(error) });
  });
  const source = new CameraSource({
    device,
    settings: {
      current: () => settings.current.camera,
      onChange: (listener) =>
        settings.onChange(({ changed }) => {
          if (!changed.includes('camera')) return;
          simulated = choose();
          listener();
        }),
    },
    isMoving,
    clock,
    log,
    soon: setImmediate,
  });
  if (runDir) whileSimulated(source, () => publishScene(scenePath(runDir), scene, clock));
  return source;
}

function scenePath(runDir: string): string {
  return join(runDir, 'scene.json');
}

function whileSimulated(source: ImageSource, start: () => Cancel): void {
  let stop: Cancel | undefined;
  source.onChange(() => {
    const { simulated, phase } = source.view();
    if (simulated && ['starting', 'streaming', 'capturing'].includes(phase)) stop ??= start();
    else {
      stop?.();
      stop = undefined;
    }
  });
}

/**
 * Returns true if the camera is simulated. In mode "auto", it is real on a Raspberry Pi and on any machine with a
 * camera program.
 */
function isSimulated({ mode }: CameraSection, { isRaspberryPi }: Machine): boolean {
  if (mode !== 'auto') return mode === 'simulated';
  return !isRaspberryPi && findProgram('vid') === undefined;
}
