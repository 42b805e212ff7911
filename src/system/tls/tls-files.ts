import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import {
  fileErrorCode,
  fileErrorReason,
  openFolder,
  readSmallFile,
  removeFile,
  sweepTemps,
  writeFileAtomic,
} from '../../shared/files.js';
import { isIssuedBy, type Pair, pairOf } from './certificate.js';
import { tlsMessage } from './messages.js';

const MAX_PEM_BYTES = 64 * 1024;
const NAMES = { ca: 'ca.pem', leaf: 'gateway.pem' } as const;
/** This file exists while redirection to HTTPS is enabled. */
const REDIRECT = 'redirect';

export interface StoredPairs {
  ca?: Pair;
  /** Issued by `ca`. */
  leaf?: Pair;
}

/**
 * The folder `tls` in the data directory, which is not in database backups. Each file contains a certificate and its
 * key, so that a power cut cannot leave a certificate with the wrong key.
 */
export class TlsFiles {
  readonly #dir: string;

  constructor(dataDir: string) {
    this.#dir = join(dataDir, 'tls');
  }

  /** Reads the files that exist; rejects with the reason if one is damaged or unreadable. */
  async read(): Promise<StoredPairs> {
    const [ca, leaf] = await Promise.all([this.#read(NAMES.ca), this.#read(NAMES.leaf)]);
    if (!ca) return {};
    return leaf && isIssuedBy(leaf.pem, ca.pem) ? { ca, leaf } : { ca };
  }

  /** Replaces a file durably, with mode 0600. Rejects with `WRITE_FAILED`. */
  write(part: keyof typeof NAMES, pem: string): Promise<void> {
    return this.#change(async () => {
      const path = join(this.#dir, NAMES[part]);
      await sweepTemps(path);
      await writeFileAtomic(path, pem);
    });
  }

  async readRedirect(): Promise<boolean> {
    try {
      await access(join(this.#dir, REDIRECT));
      return true;
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** Rejects with `WRITE_FAILED`. */
  writeRedirect(isOn: boolean): Promise<void> {
    const path = join(this.#dir, REDIRECT);
    return this.#change(() => (isOn ? writeFileAtomic(path, '') : removeFile(path)));
  }

  async #change(write: () => Promise<void>): Promise<void> {
    try {
      await openFolder(this.#dir);
      await write();
    } catch (cause) {
      const text = tlsMessage('not-written', { reason: fileErrorReason(cause) });
      throw new GatewayError('WRITE_FAILED', text, { cause });
    }
  }

  async #read(name: string): Promise<Pair | undefined> {
    try {
      return pairOf((await readSmallFile(join(this.#dir, name), MAX_PEM_BYTES)).toString());
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return undefined;
      const reason = fileErrorCode(error) ? fileErrorReason(error) : `${name} is damaged`;
      throw new GatewayError('WRITE_FAILED', reason, { cause: error });
    }
  }
}
