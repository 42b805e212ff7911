import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ARCH = process.env.CARTWRIGHT_ARCH === 'arm64' ? 'arm64' : 'x64';

/**
 * Lets a test choose what `GET /readyz` returns: the members of the object in /etc/cartwright/readyz.json for the
 * release's version.
 */
const READYZ_PATCH = `
import { readFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
const { end } = ServerResponse.prototype;
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
ServerResponse.prototype.end = function (body, ...rest) {
  if (!this.req?.url?.startsWith('/readyz')) return end.call(this, body, ...rest);
  let members = {};
  try {
    members = JSON.parse(readFileSync('/etc/cartwright/readyz.json', 'utf8'))[version];
  } catch {}
  const patched = JSON.stringify({ ...JSON.parse(String(body)), ...members });
  this.setHeader('Content-Length', Buffer.byteLength(patched));
  this.removeHeader('ETag');
  return end.call(this, patched);
};
`;

export interface UpdateChange {
  /** Files of the release to write, with their contents. */
  files?: Record<string, string>;
  /** True to include this machine's Node. */
  hasNode?: boolean;
  /** Private key for the signatures (default: the key that signed the release). */
  key?: string;
}

export interface DummyOptions {
  /** True if the files are signed, as in a release. */
  isSigned?: boolean;
  fillerBytes?: number;
}

/** Derives signed archives from a release, for tests of updates. */
export class TestUpdates {
  readonly #release: { dir: string; key: string };
  readonly #dir = mkdtempSync(join(tmpdir(), 'device-updates-'));

  constructor(release: { dir: string; key: string }) {
    this.#release = release;
  }

  static nameOf(version: string): string {
    return `cartwright-${version}-${ARCH}.tar.gz`;
  }

  /** Creates a private key that did not sign the installed release. Returns its path. */
  foreignKey(): string {
    const key = join(this.#dir, 'foreign.pem');
    execFileSync('openssl', ['genpkey', '-quiet', '-algorithm', 'ed25519', '-out', key]);
    return key;
  }

  /** Writes the release with this version, and its signature. Returns the archive's path. */
  archive(
    version: string,
    { files = {}, hasNode = false, key = this.#release.key }: UpdateChange = {},
  ): string {
    const tree = join(mkdtempSync(join(this.#dir, 'tree-')), 'cartwright');
    execFileSync('cp', ['-a', this.#release.dir, tree]);
    const manifest = join(tree, 'package.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace(/"version": "[^"]*"/, `"version": "${version}"`),
    );
    const main = join(tree, 'dist/src/main.js');
    writeFileSync(join(tree, 'dist/src/readyz-patch.js'), READYZ_PATCH);
    writeFileSync(main, `import './readyz-patch.js';\n${readFileSync(main, 'utf8')}`);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(tree, name), text);
    if (hasNode) {
      mkdirSync(join(tree, 'bin'));
      copyFileSync(process.execPath, join(tree, 'bin/node'));
    }
    const sign = join(this.#release.dir, 'systemd/sign.sh');
    execFileSync(sign, [key, tree]);
    const archive = join(this.#dir, TestUpdates.nameOf(version));
    execFileSync('tar', ['-C', join(tree, '..'), '-I', 'gzip -1', '-cf', archive, 'cartwright']);
    rmSync(join(tree, '..'), { recursive: true });
    this.sign(archive, version, { key });
    return archive;
  }

  /** Writes an archive with only these files, and its signature. `fillerBytes` adds a file of zeros. */
  dummy(version: string, files: Record<string, string>, options: DummyOptions = {}): string {
    const { isSigned = false, fillerBytes } = options;
    const tree = join(mkdtempSync(join(this.#dir, 'dummy-')), 'cartwright');
    for (const [name, text] of Object.entries({ 'systemd/release.pub': '', ...files })) {
      mkdirSync(dirname(join(tree, name)), { recursive: true });
      writeFileSync(join(tree, name), text);
    }
    if (fillerBytes !== undefined) {
      writeFileSync(join(tree, 'filler'), '');
      truncateSync(join(tree, 'filler'), fillerBytes);
    }
    if (isSigned) execFileSync(join(this.#release.dir, 'systemd/sign.sh'), [this.#release.key, tree]);
    const archive = join(this.#dir, TestUpdates.nameOf(version));
    execFileSync('tar', ['-C', dirname(tree), '-I', 'gzip -1', '-cf', archive, 'cartwright']);
    this.sign(archive, version);
    return archive;
  }

  copyOf(archive: string, name: string): string {
    const copy = join(this.#dir, name);
    copyFileSync(archive, copy);
    return copy;
  }

  /** Signs an archive as a release with this version. Writes the signature beside it. */
  sign(archive: string, version: string, options: { key?: string; arch?: string } = {}): void {
    const { key = this.#release.key, arch = ARCH } = options;
    const sign = join(this.#release.dir, 'systemd/sign.sh');
    execFileSync(sign, [key, archive, version, arch], { input: '### Added\n\n- A test.\n' });
  }

  /** Copies an archive and its signature to a directory. */
  static copy(archive: string, to: string): void {
    const name = archive.slice(archive.lastIndexOf('/') + 1);
    for (const suffix of ['', '.sig']) copyFileSync(`${archive}${suffix}`, join(to, `${name}${suffix}`));
  }

  /** Creates a disk image that contains the archive and its signature. */
  medium(archive: string): string {
    const folder = mkdtempSync(join(this.#dir, 'medium-'));
    TestUpdates.copy(archive, folder);
    const image = join(this.#dir, 'medium.img');
    execFileSync('truncate', ['-s', '128M', image]);
    execFileSync('mke2fs', ['-q', '-t', 'ext4', '-O', '^has_journal', '-d', folder, image]);
    return image;
  }

  close(): void {
    rmSync(this.#dir, { recursive: true });
  }
}
