import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../shared/clock.js';
import { messageOf } from '../shared/errors.js';
import { cameraFaults, readArguments } from '../simulator/camera/options.js';
import { CameraExit, SimulatedCameraProgram } from '../simulator/camera/program.js';

/**
 * Runs the simulated camera with the arguments of rpicam-vid and rpicam-still: `simulate-camera.js vid|still
 * --key value …`. Environment variables: CARTWRIGHT_CAMERA_SCENE (file that describes the scene), _LOCK (lock
 * file), _FAULT (faults defined in simulator/camera/options.ts) and _BYTES (minimum image size).
 */
async function run([kind, ...args]: readonly string[]): Promise<void> {
  if (kind !== 'vid' && kind !== 'still') throw new Error('the first argument must be vid or still');
  if (args.includes('--list-cameras')) return void process.stdout.write('0 : simulated [1920x1080]\n');
  const { env } = process;
  const program = new SimulatedCameraProgram(readArguments(kind, args), {
    faults: cameraFaults(env.CARTWRIGHT_CAMERA_FAULT ?? ''),
    scenePath: env.CARTWRIGHT_CAMERA_SCENE ?? '',
    lockPath: env.CARTWRIGHT_CAMERA_LOCK ?? join(tmpdir(), 'cartwright-simulated-camera.lock'),
    minBytes: Number(env.CARTWRIGHT_CAMERA_BYTES ?? 0),
    clock: systemClock,
    logError: (line) => void process.stderr.write(`${line}\n`),
  });
  await (kind === 'vid' ? program.stream() : program.still());
}

// Like the real program, exits with status 0 when interrupted.
process.once('SIGINT', () => process.exit(0));

// An error here means that the process reading stderr has exited; the program continues.
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
