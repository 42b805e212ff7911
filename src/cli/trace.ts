import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../shared/package-root.js';

/**
 * A compiled location in a stack trace. This program maps such locations to source lines; in the gateway, the
 * mapping would block the control loop.
 */
const LOCATION = /(file:\/\/[^\s"':]+\.js):(\d+):(\d+)/g;
const maps = new Map<string, SourceMap | undefined>();

function sourceOf(location: string, url: string, line: string, column: string): string {
  const file = fileURLToPath(url);
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return location;
  const source = relative(packageRoot(), resolve(dirname(file), entry.originalSource));
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function readMap(file: string): SourceMap | undefined {
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

process.stdout.write((await text(process.stdin)).replace(LOCATION, sourceOf));
