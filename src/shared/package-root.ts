import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder that contains `package.json`, for both source files and compiled output. */
export function packageRoot(from: string = fileURLToPath(import.meta.url)): string {
  let folder = dirname(from);
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json found above ${from}`);
    folder = parent;
  }
  return folder;
}

/** Returns the URL of a compiled module, such as `app/writer-worker.js`, even if the caller is bundled. */
export function moduleUrl(path: string): URL {
  const { url } = import.meta;
  return new URL(path, url.slice(0, url.lastIndexOf('/src/') + '/src/'.length));
}

interface PackageFacts {
  version: string;
  support: {
    /** The last day of security fixes for this version, such as `2031-11-30`. */
    until: string;
    /** The URI for reports of vulnerabilities, such as `mailto:security@example.com`; empty if there is none. */
    contact: string;
  };
}

let facts: PackageFacts | undefined;

/** Returns what `package.json` states about this release. */
export function packageFacts(): PackageFacts {
  facts ??= JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as PackageFacts;
  return facts;
}

export function packageVersion(): string {
  return packageFacts().version;
}
