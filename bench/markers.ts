import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { AprilTagDetector } from '../src/adapters/apriltag/apriltag.js';
import { DetectorHost } from '../src/navigation/markers/detector-host.js';
import { measure } from '../src/navigation/markers/measure.js';
import { systemClock } from '../src/shared/clock.js';
import { moduleUrl, packageRoot } from '../src/shared/package-root.js';
import { MarkerFigures } from '../test/helpers/marker-figures.js';
import { fixtureFolder, type MarkerFixture, renderedImages } from '../test/helpers/marker-fixtures.js';
import { quantile, residentMb } from './process-figures.js';
import { median, verdict } from './verdict.js';

/**
 * Measures markers in images that bench/markers/render.py renders, and compares the results with the rendered
 * positions. MARKERS_BENCH_IMAGES is the number of images of each size with a marker (default 200); there are four
 * times as many images without a marker. The renderer does not model sharpening, rolling shutter, glare, bent prints
 * or changes of focus, so real errors are several times larger.
 */
const MARKER_IMAGES = Number(process.env.MARKERS_BENCH_IMAGES ?? 200);
const OTHER_IMAGES = 4 * MARKER_IMAGES;
const BATCH = 250;
const PYTHON = '/usr/bin/python3';
const SIZES = {
  '720p': { width: 1280, height: 720, found: 99.5, rangePercent: 0.5, yawDeg: 1 },
  '480p': { width: 640, height: 480, found: 99, rangePercent: 1, yawDeg: 2 },
} as const;
const BEARING_DEG = 0.05;

type Size = (typeof SIZES)[keyof typeof SIZES];

class Bench {
  readonly figures = new MarkerFigures();
  readonly totalMs: number[] = [];
  readonly #detector = new AprilTagDetector();
  #decodeS = 0;
  #measureS = 0;

  /** Processor time of decoding, detecting and measuring, relative to decoding alone. */
  get ratio(): number {
    return this.#measureS / this.#decodeS;
  }

  run(folder: string): void {
    const { camera, images, sizeMm, jpegOf } = renderedImages(folder);
    for (const { file, truth } of images) {
      const jpeg = jpegOf(file);
      this.#decodeS += processorTimeS(() => this.#detector.decode(jpeg, camera));
      this.#measureS += processorTimeS(() => {
        const startMs = performance.now();
        const { markers } = this.#detector.detect(jpeg, camera);
        this.figures.add(truth, measure(markers, { camera, sizesMm: {}, otherSizeMm: sizeMm }));
        this.totalMs.push(performance.now() - startMs);
      });
    }
  }
}

function processorTimeS(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Renders and measures in batches; each batch is rendered while the previous one is measured. */
async function measured(count: number, { width, height }: Size, ...options: string[]): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'markers-'));
  const render = async (batch: number): Promise<string> => {
    const to = join(folder, String(batch));
    const images = Math.min(BATCH, count - batch * BATCH);
    const script = join(packageRoot(), 'bench/markers/render.py');
    const numbers = [images, width, height, 1000 * width + batch].map(String);
    await promisify(execFile)(PYTHON, [script, to, ...numbers, ...options]);
    return to;
  };
  try {
    const bench = new Bench();
    let next = render(0);
    for (let batch = 0; batch * BATCH < count; batch++) {
      const current = await next;
      if ((batch + 1) * BATCH < count) next = render(batch + 1);
      bench.run(current);
      rmSync(current, { recursive: true });
    }
    return bench;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function accuracy(name: string, size: Size): Promise<void> {
  const { figures, totalMs, ratio } = await measured(MARKER_IMAGES, size);
  const found = figures.summary;
  const line = (what: string, value: number, unit: string, target: number, isMinimum = false): void =>
    verdict(
      `${name}, ${what}`,
      `${value.toFixed(3)}${unit}`,
      `${isMinimum ? 'at least' : 'at most'} ${target}${unit}`,
      isMinimum ? value >= target : value <= target,
    );
  process.stdout.write(`${name}: ${found.images} images\n`);
  line('markers found', found.foundPercent, ' %', size.found, true);
  line('range error, p95', found.rangeP95Percent, ' %', size.rangePercent);
  line('bearing error, p95', found.bearingP95Deg, ' degrees', BEARING_DEG);
  line('yaw error, p95', found.yawP95Deg, ' degrees', size.yawDeg);
  line('wrong yaws', found.wrongYaws, '', 0);
  line('false IDs', found.falseIds.length, '', 0);
  process.stdout.write(`${name}, yaw unknown: ${found.unknownYawPercent.toFixed(2)} %\n`);
  const [p50, p95] = [quantile(totalMs, 0.5), quantile(totalMs, 0.95)].map((ms) => ms.toFixed(1));
  process.stdout.write(
    `${name}, processor time: ${ratio.toFixed(2)} times decoding alone; image to pose ${p50} ms, p95 ${p95} ms\n`,
  );
}

async function falseDetections(name: string, size: Size): Promise<void> {
  const { falseIds, images } = (await measured(OTHER_IMAGES, size, '--none')).figures.summary;
  const figure = falseIds.length === 0 ? '0' : `${falseIds.length} (${falseIds})`;
  verdict(`${name}, false IDs in ${images} images without markers`, figure, '0', falseIds.length === 0);
}

/** Measures the additional memory of the thread, and the time until a new thread has measured an image. */
async function thread(fixture: MarkerFixture): Promise<void> {
  const { camera, images, sizeMm, jpegOf } = renderedImages(fixtureFolder(fixture));
  const options = { camera, sizesMm: {}, otherSizeMm: sizeMm };
  const jpegs = images.map(({ file }) => jpegOf(file));
  const script = moduleUrl('app/detector-worker.js');
  const beforeMb = residentMb(process.pid);
  const running = new DetectorHost({ script, clock: systemClock });
  for (const jpeg of [...jpegs, ...jpegs, ...jpegs]) await running.measure({ jpeg, options });
  const addedMb = residentMb(process.pid) - beforeMb;
  running.close();
  verdict(
    `${fixture}, memory added by the thread`,
    `${addedMb.toFixed(0)} MB`,
    'at most 50 MB',
    addedMb <= 50,
  );
  const [starts, emptyStarts]: [number[], number[]] = [[], []];
  for (let nth = 0; nth < 10; nth++) {
    starts.push(
      await elapsedMs(async () => {
        const detector = new DetectorHost({ script, clock: systemClock });
        await detector.measure({ jpeg: jpegs[0] ?? Buffer.alloc(0), options });
        detector.close();
      }),
    );
    emptyStarts.push(await elapsedMs(() => once(new Worker('', { eval: true }), 'exit')));
  }
  const [ms, emptyMs] = [median(starts), median(emptyStarts)];
  process.stdout.write(
    `${fixture}, start of the thread until the first result: ${ms.toFixed(0)} ms, ${(ms / emptyMs).toFixed(1)} times an empty thread\n`,
  );
}

async function elapsedMs(job: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await job();
  return performance.now() - startMs;
}

if (spawnSync(PYTHON, ['-c', 'import cv2']).status !== 0) {
  process.stdout.write('SKIPPED: the renderer needs the package python3-opencv\n');
} else {
  for (const fixture of ['720p', '480p'] as const) await thread(fixture);
  for (const [name, size] of Object.entries(SIZES)) await accuracy(name, size);
  for (const [name, size] of Object.entries(SIZES)) await falseDetections(name, size);
}
