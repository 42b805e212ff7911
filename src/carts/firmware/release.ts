import { createHash, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { fileErrorCode, readSmallFile } from '../../shared/files.js';
import type { Log } from '../../shared/ports/log.js';
import type { Board } from '../../shared/ports/serial.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { type FirmwareSection, sectionsOf } from './flash-sections.js';
import { firmwareMessage } from './messages.js';

const MAX_HEX_BYTES = 1024 * 1024;
const FILES: Record<Board, string> = {
  uno: 'cgw1-uno.hex',
  'nano-old': 'cgw1-uno.hex',
  mega: 'cgw1-mega.hex',
};

/** The result of `firmware/build.sh`. */
export interface FirmwareFacts {
  version: string;
  /** Commit of the sources; `0` = unknown. */
  revision: string;
  /** True if a different file replaced the sketch's `config.h`. */
  isConfigured: boolean;
  /** False for a development build and for a release without a signature. */
  isSigned: boolean;
}

export interface FirmwareImage {
  sections: FirmwareSection[];
  /** SHA-256 of the hex file in the release. */
  sha256: string;
}

/** The firmware in `firmware/build` of the installed release or of the checkout. */
export class ReleaseFirmware {
  readonly facts: FirmwareFacts | undefined;
  readonly #root: string;

  private constructor(root: string, facts: FirmwareFacts | undefined) {
    this.#root = root;
    this.facts = facts;
  }

  /** @param root the folder that contains `package.json`. */
  static async open(root: string, log: Log): Promise<ReleaseFirmware> {
    const path = join(root, 'firmware/build/firmware.json');
    try {
      const isSigned = (await signedList(root)) !== undefined;
      const facts = factsOf(JSON.parse(await readFile(path, 'utf8')), isSigned);
      return new ReleaseFirmware(root, facts);
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT')
        log.warn('firmware.read_failed', { path, reason: messageOf(error) });
      return new ReleaseFirmware(root, undefined);
    }
  }

  /**
   * Returns the firmware to write. If the release is signed, first verifies the signature of the release's file list
   * and the firmware file's hash in this list. Rejects with FIRMWARE_IMAGE.
   */
  async read(board: Board): Promise<FirmwareImage> {
    const name = `firmware/build/${FILES[board]}`;
    try {
      const content = await readSmallFile(join(this.#root, name), MAX_HEX_BYTES);
      const list = await signedList(this.#root);
      const hash = createHash('sha256').update(content).digest('hex');
      if (list !== undefined && !list.split('\n').includes(`${hash}  ./${name}`))
        throw new GatewayError('FIRMWARE_IMAGE', firmwareMessage('image-changed'));
      return { sections: sectionsOf(content.toString('latin1'), board), sha256: hash };
    } catch (error) {
      const hint = firmwareMessage('image-hint');
      if (error instanceof GatewayError) throw new GatewayError(error.code, error.text, { hint });
      const text =
        fileErrorCode(error) === 'ENOENT'
          ? firmwareMessage('image-missing')
          : firmwareMessage('image-unusable', { reason: messageOf(error) });
      throw new GatewayError('FIRMWARE_IMAGE', text, { hint, cause: error });
    }
  }
}

/**
 * Returns the release's list of files (systemd/sign.sh), or undefined if the release is not signed. The
 * public key is trusted, because install.sh has verified the whole release with the previous release's key.
 */
async function signedList(root: string): Promise<string | undefined> {
  const read = (name: string) => readFile(join(root, name));
  const signature = await read('SHA256SUMS.sig').catch((error: unknown) => {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!signature) return undefined;
  const [list, key] = await Promise.all([read('SHA256SUMS'), read('systemd/release.pub')]);
  if (!verify(null, list, key, signature))
    throw new GatewayError('FIRMWARE_IMAGE', firmwareMessage('image-changed'));
  return list.toString();
}

function factsOf(json: unknown, isSigned: boolean): FirmwareFacts {
  const { version, revision, configured } = isJsonObject(json) ? json : {};
  if (typeof version !== 'string' || typeof revision !== 'string')
    throw new Error('the file does not describe a firmware build');
  return { version, revision, isConfigured: configured === true, isSigned };
}
