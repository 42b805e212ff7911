import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../../src/shared/package-root.js';

export type BoardName = 'uno' | 'mega';

export interface SketchOptions {
  /** A configuration header; the default is the sketch's own. */
  config?: string;
  /** Folders of Arduino libraries. */
  libraries?: readonly string[];
}

/** The Debian package arduino-core-avr. */
export const ARDUINO = '/usr/share/arduino/hardware/arduino/avr';
/** The headers of the Debian package libsimavr-dev. */
export const SIMAVR = '/usr/include/simavr';

const root = packageRoot();
const SOURCES = join(root, 'test/firmware/simavr');
/** The test files share the compiled programs, because compiling takes longer than most simulations. */
const CACHE = join(root, 'dist/firmware');

/** Writes the program `bench`, and the sketch for each board, to a folder. */
export function compileBench(folder: string, boards: readonly BoardName[], sketch: SketchOptions): void {
  const built = join(CACHE, inputsHash(boards, sketch));
  if (!existsSync(built)) {
    mkdirSync(CACHE, { recursive: true });
    const partial = mkdtempSync(join(CACHE, 'partial-'));
    compile(partial, boards, sketch);
    try {
      renameSync(partial, built);
    } catch (error) {
      // Another test file has just compiled the same programs.
      rmSync(partial, { recursive: true });
      if (!existsSync(built)) throw error;
    }
  }
  cpSync(built, folder, { recursive: true });
}

function compile(
  folder: string,
  boards: readonly BoardName[],
  { config, libraries = [] }: SketchOptions,
): void {
  const sources = readdirSync(SOURCES).filter((name) => name.endsWith('.c'));
  const strict = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror'];
  const linked = ['-lsimavr', '-lelf', '-lutil', '-lm'];
  execute('gcc', [...strict, '-o', join(folder, 'bench'), ...sources, ...linked], SOURCES);
  // With the commit as their revision, the programs would have to be compiled again after each commit.
  const options = ['--revision', '0', ...boards.flatMap((board) => ['--board', board])];
  if (config) options.push('--config', config);
  options.push(...libraries.flatMap((library) => ['--library', library]));
  execute('firmware/build.sh', [...options, folder], root);
}

/** Returns a hash of the sources, options and compilers on which the compiled programs depend. */
function inputsHash(boards: readonly BoardName[], { config, libraries = [] }: SketchOptions): string {
  const arduino = ['cores', 'variants', 'libraries/EEPROM'].map((name) => join(ARDUINO, name));
  const folders = [SOURCES, join(root, 'firmware/cgw1'), ...libraries, ...arduino, SIMAVR];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  // This module contains the compiler options.
  files.push(join(root, 'firmware/build.sh'), import.meta.filename);
  if (config) files.push(resolve(root, config));
  const hash = createHash('sha256').update(boards.join());
  for (const file of files.toSorted()) hash.update(readFileSync(file));
  for (const compiler of ['gcc', 'avr-gcc']) hash.update(execute(compiler, ['--version'], root));
  return hash.digest('hex').slice(0, 16);
}

function execute(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed:\n${stderr ?? String(error)}`);
  return stdout;
}
