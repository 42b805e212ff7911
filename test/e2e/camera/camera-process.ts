import { openImageSource } from '../../../src/app/composition/camera.js';
import { defaultSettings } from '../../../src/settings/schema/schema.js';
import { systemClock } from '../../../src/shared/clock.js';
import { createLog, LogThreshold } from '../../../src/shared/log.js';

/** Runs the simulated camera in the given directory until SIGTERM. */
const settings = defaultSettings();
Object.assign(settings.camera, { mode: 'simulated', width: 160, height: 120 });
const source = await openImageSource({
  settings: { current: settings, onChange: () => () => undefined },
  machine: { isRaspberryPi: false },
  scene: () => ({
    pose: null,
    mount: { xMm: 0, yMm: 0, headingDeg: 0 },
    walls: [],
    markers: [],
    carts: [],
    faults: {},
  }),
  isMoving: () => false,
  dataDir: process.argv[2] ?? '',
  clock: systemClock,
  log: createLog(new LogThreshold('error')),
});
source.acquire();
const stop = source.onImage(() => {
  stop();
  process.stdout.write('streaming\n');
});
process.once('SIGTERM', () => void source.close());
