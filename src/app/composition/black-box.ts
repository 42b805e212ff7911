import { join } from 'node:path';
import type { ImageSource } from '../../camera/index.js';
import type { Cart } from '../../carts/index.js';
import type { MessageBus } from '../../shared/ports/mqtt.js';
import { BlackBox, describeFrames, MovingCamera } from '../../system/index.js';
import type { AppContext } from '../context.js';
import type { GatewayFacts } from './facts.js';

/** Holds the recordings; nothing is sampled before `startRecorder`. */
export function openBlackBox({ config, clock, log }: AppContext): BlackBox {
  return new BlackBox({ dir: join(config.dataDir, 'black-box'), clock, log });
}

interface RecorderModules {
  blackBox: BlackBox;
  ownCart: { cart: Pick<Cart, 'busy' | 'view'> };
  mqtt: { bus: Pick<MessageBus, 'status'> };
  camera: { source: ImageSource };
  facts: Pick<GatewayFacts, 'about'>;
}

/** Starts sampling. Returns the black box; closing it ends the sampling. */
export function startRecorder(
  { processMonitor, settings, logRing }: AppContext,
  { blackBox: box, ownCart: { cart }, mqtt: { bus }, camera: { source }, facts }: RecorderModules,
): BlackBox {
  const movingCamera = new MovingCamera(source);
  source.onImage(({ jpeg }) => box.addStill(jpeg));
  box.start({
    sample: () => {
      const moving = cart.busy;
      movingCamera.follow(moving);
      const { link: line, safety, telemetry, pose, ageMs } = cart.view();
      return {
        moving,
        ageMs,
        line,
        safety,
        telemetry,
        pose,
        broker: bus.status(),
        lag: processMonitor.read().lag,
      };
    },
    describeFrames: (frames) => describeFrames(frames, settings.current.serial.driver),
    about: () => ({ gateway: facts.about(), settings: settings.masked() }),
    logLines: () => logRing.lines({ limit: 1000 }),
  });
  return box;
}
