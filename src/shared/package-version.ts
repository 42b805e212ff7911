import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

let version: string | undefined;

/** The version of this gateway, from its package.json. */
export function packageVersion(): string {
  version ??= String(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).version);
  return version;
}
