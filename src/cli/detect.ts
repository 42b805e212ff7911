import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DetectorHost } from '../navigation/index.js';
import { systemClock } from '../shared/clock.js';
import { GatewayError, messageOf } from '../shared/errors.js';
import { moduleUrl } from '../shared/package-root.js';

/** Time limit per image; photos have up to 16 megapixels. */
const LIMIT_MS = 30_000;

const USAGE = `usage: npm run --silent detect -- --size MM --camera F,CX,CY[,K1] IMAGE...
Prints one line of JSON for each JPEG image, with its AprilTags of the tag36h11 family.
  --size MM               width of the black square
  --camera F,CX,CY[,K1]   focal length and image centre in pixels, and radial distortion (default 0)
`;

interface Arguments {
  files: string[];
  sizeMm: number;
  lens: { fPx: number; cxPx: number; cyPx: number; k1: number };
}

function readArguments(args: string[]): Arguments {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: { size: { type: 'string' }, camera: { type: 'string' } },
  });
  const sizeMm = numberOf(values.size ?? '');
  const [fPx = Number.NaN, cxPx = Number.NaN, cyPx = Number.NaN, k1 = 0, ...rest] = (values.camera ?? '')
    .split(',')
    .map(numberOf);
  if (!(sizeMm > 0)) throw new GatewayError('INVALID_INPUT', '--size must be a positive number');
  if (!(fPx > 0) || ![cxPx, cyPx, k1].every(Number.isFinite) || rest.length > 0)
    throw new GatewayError('INVALID_INPUT', '--camera must be F,CX,CY or F,CX,CY,K1');
  if (files.length === 0) throw new GatewayError('INVALID_INPUT', 'no image file given');
  return { files, sizeMm, lens: { fPx, cxPx, cyPx, k1 } };
}

function numberOf(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

async function detect(file: string, { sizeMm, lens }: Arguments, host: DetectorHost): Promise<string> {
  // The image size is left at 0, because only docking and calibration need it.
  const camera = { ...lens, width: 0, height: 0 };
  const options = { camera, sizesMm: {}, otherSizeMm: sizeMm };
  const markers = await host.measure({ jpeg: await readFile(file), options });
  return JSON.stringify({ file, markers: markers.map(({ corners: _, ...pose }) => pose) });
}

/** Detects the markers in each image. An image that cannot be read does not affect the others. */
async function run(args: string[]): Promise<void> {
  const parsed = readArguments(args);
  const open = () =>
    new DetectorHost({
      script: moduleUrl('app/detector-worker.js'),
      clock: systemClock,
      limitMs: LIMIT_MS,
    });
  let host = open();
  for (const file of parsed.files) {
    try {
      process.stdout.write(`${await detect(file, parsed, host)}\n`);
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'DETECTOR_FAILED') host = open();
      process.stderr.write(`${file}: ${messageOf(error)}\n`);
      process.exitCode = 1;
    }
  }
  host.close();
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n${USAGE}`);
  process.exitCode = 2;
});
