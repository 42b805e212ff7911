import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'adapters/apriltag';

/** Copies the marker detector, which tsc does not compile, and its licence to `<code>`. */
export function copyDetector(code) {
  mkdirSync(join(code, FOLDER), { recursive: true });
  for (const name of ['detector.wasm', 'LICENSE.md']) {
    copyFileSync(join(import.meta.dirname, 'src', FOLDER, name), join(code, FOLDER, name));
  }
}
