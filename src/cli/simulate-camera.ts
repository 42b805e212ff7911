import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../shared/clock.js';
import { messageOf } from '../shared/errors.js';
import { cameraFaults, readArguments } from '../simulator/camera/options.js';
import { CameraExit, CameraProgram } from '../simulator/camera/program.js';

/**
 * The simulated camera, called as rpicam-vid and rpicam-still are: `simulate-camera.js vid|still --key value …`. Its
 * surroundings come by environment: CARTWRIGHT_CAMERA_POSE (the file with the cart's place), _LOCK (who has the camera),
 * _FAULT (what goes wrong, see simulator/camera/faults.ts) and _BYTES (the least length of an image).
 */
async function run([kind, ...args]: readonly string[]): Promise<void> {
  if (kind !== 'vid' && kind !== 'still') throw new Error('the first argument must be vid or still');
  if (args.includes('--list-cameras')) return void process.stdout.write('0 : simulated [1920x1080]\n');
  const { env } = process;
  const program = new CameraProgram(readArguments(kind, args), {
    faults: cameraFaults(env.CARTWRIGHT_CAMERA_FAULT ?? ''),
    posePath: env.CARTWRIGHT_CAMERA_POSE ?? '',
    lockPath: env.CARTWRIGHT_CAMERA_LOCK ?? join(tmpdir(), 'cartwright-simulated-camera.lock'),
    leastBytes: Number(env.CARTWRIGHT_CAMERA_BYTES ?? 0),
    clock: systemClock,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  await (kind === 'vid' ? program.stream() : program.still());
}

// The real program ends in good order when it is interrupted.
process.once('SIGINT', () => process.exit(0));

// Whoever listened is gone; the pictures go on.
process.stderr.on('error', () => undefined);

run(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const isKnown = error instanceof CameraExit;
    process.stderr.write(`${isKnown ? error.message : `ERROR: *** ${messageOf(error)} ***`}\n`, () =>
      process.exit(isKnown ? error.status : 255),
    );
  },
);
