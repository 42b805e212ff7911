import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = 'adapters/apriltag';
const sources = join(dirname(import.meta.dirname), 'src', FOLDER);

/** Copies the marker detector, which tsc does not compile, and its licence to `<code>`. */
export function copyDetector(code) {
  mkdirSync(join(code, FOLDER), { recursive: true });
  for (const name of ['detector.wasm', 'LICENSE.md']) {
    copyFileSync(join(sources, name), join(code, FOLDER, name));
  }
}
