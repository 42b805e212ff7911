import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Actor, actorName } from '../shared/actor.js';
import { GatewayError } from '../shared/errors.js';
import { fileErrorReason, removeFile, stampOf, syncDirectory } from '../shared/files.js';
import { type Text, textOf } from '../shared/messages/message.js';
import { sharedMessage } from '../shared/messages/messages.js';
import type { BackupManager, UploadPart, UploadProgress } from '../shared/ports/backups.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import { Signal } from '../shared/signal.js';
import { PartUploads } from '../shared/uploads.js';
import { fileError, inspectBackup, type Manifest, makeSealedArchive } from './archive.js';
import { gatewayOf, listFolder, NAME, numberOf, removeUnfinished, UNFINISHED } from './backup-files.js';
import { contentOf, type Group, type SavedKind } from './contents.js';
import { backupMessage } from './messages.js';
import { damaged, deriveSecret, MAGIC, readHeader, type Secret } from './sealed-file.js';
import type { UsbStick } from './usb-stick.js';

export interface GatewayBackup {
  /** The file name, which also identifies the backup. */
  name: string;
  bytes: number;
  /** Unix time in ms, according to the name. */
  at: number;
  /** True if the file was uploaded. */
  uploaded: boolean;
  /** True if the USB stick contains the file, or a copy of it. */
  usb: boolean;
}

/** Number and size of the files of one kind. */
export interface ContentSize {
  what: SavedKind;
  files: number;
  bytes: number;
}

export interface MadeBackup {
  name: string;
  bytes: number;
  sha256: string;
  contents: ContentSize[];
  /** True if the USB stick has a copy. */
  usb: boolean;
  /** Why there is no copy on the USB stick; empty if there is one, or no stick. */
  usbFailure: Text;
}

export interface InspectedBackup extends GatewayBackup {
  manifest: Manifest;
  contents: ContentSize[];
  /** Problems that an administrator should know about before a restore. */
  problems: Text[];
}

/** Information about this gateway that a backup contains. */
interface GatewayFacts {
  gateway: string;
  cartId: number;
  version: string;
  schemaVersion: number;
}

interface FoundBackup extends GatewayBackup {
  path: string;
  /** On the USB stick. */
  copy?: string;
}

/** Number of backups made by this gateway that are kept. */
const KEEP_MADE = 3;
const MIB = 1024 * 1024;
/** The same limit as for writes to the database. */
const MIN_FREE_BYTES = 32 * MIB;
const MAX_UPLOAD_BYTES = 4096 * MIB;

interface GatewayBackupsOptions {
  /** The data directory. */
  dir: string;
  clock: Clock;
  log: Log;
  database: Pick<BackupManager, 'snapshot'>;
  /** Undefined if the system mounts no USB stick. */
  usb?: UsbStick | undefined;
  facts: () => GatewayFacts;
}

/** The backups of the whole gateway, in the folder `gateway-backups` of the data directory. */
export class GatewayBackups {
  readonly #o: GatewayBackupsOptions;
  readonly #folder: string;
  readonly #uploadFolder: string;
  readonly #uploads: PartUploads<string>;
  readonly #closing = new AbortController();
  readonly #made = new Signal();
  #isBusy = false;

  /** Calls the listener when a backup has been made. */
  readonly onMade = this.#made.on.bind(this.#made);

  private constructor(o: GatewayBackupsOptions) {
    this.#o = o;
    this.#folder = join(o.dir, 'gateway-backups');
    this.#uploadFolder = join(this.#folder, 'uploads');
    this.#uploads = new PartUploads({
      clock: o.clock,
      folder: this.#uploadFolder,
      maxBytes: MAX_UPLOAD_BYTES,
      // A restore unpacks the file and then needs the same amount of space again.
      spaceFor: (bytes) => 2 * bytes + MIN_FREE_BYTES,
      begin: (name) => join(this.#uploadFolder, `${name}${UNFINISHED}`),
      headerBytes: MAGIC.length,
      headerFault: (header) => (header.equals(MAGIC) ? undefined : damaged(backupMessage('not-a-backup'))),
      finish: (temp, name) => this.#acceptUpload(temp, name),
    });
  }

  /** Deletes unfinished files that an earlier run left behind. */
  static async open(o: GatewayBackupsOptions): Promise<GatewayBackups> {
    const backups = new GatewayBackups(o);
    try {
      await Promise.all([backups.#folder, backups.#uploadFolder].map(removeUnfinished));
    } catch (error) {
      o.log.warn('gateway_backup.cleanup_failed', { reason: fileErrorReason(error) });
    }
    return backups;
  }

  /** Newest first. */
  async list(): Promise<GatewayBackup[]> {
    return (await this.#found()).map(withoutPaths);
  }

  /** True if a USB stick is plugged in and responds. */
  async hasUsbStick(): Promise<boolean> {
    return (await this.#o.usb?.list()) !== undefined;
  }

  async #found(): Promise<FoundBackup[]> {
    const [made, uploads, copies = []] = await Promise.all([
      listFolder(this.#folder),
      listFolder(this.#uploadFolder),
      this.#o.usb?.list(),
    ]);
    const found = new Map<string, FoundBackup>();
    for (const file of made) found.set(file.name, { ...file, uploaded: false, usb: false });
    for (const file of uploads) found.set(file.name, { ...file, uploaded: true, usb: false });
    for (const file of copies) {
      const { uploaded = false, ...stored } = found.get(file.name) ?? {};
      found.set(file.name, { ...file, ...stored, uploaded, usb: true, copy: file.path });
    }
    return [...found.values()].toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  }

  /**
   * Makes a backup and deletes the oldest ones. Rejects with `BACKUP_PASSPHRASE`, `BUSY`, `STORE_FULL` or
   * `STORE_FAILED`.
   */
  async make(passphrase: string, include: readonly Group[], by: Actor): Promise<MadeBackup> {
    if (!passphrase) {
      const details = { field: 'passphrase', hint: backupMessage('passphrase-hint') };
      throw new GatewayError('BACKUP_PASSPHRASE', backupMessage('passphrase-missing'), details);
    }
    return await this.#alone('not-made', async () => this.#make(await deriveSecret(passphrase), include, by));
  }

  /** Like `make`, with a key that was derived earlier. */
  async makeWith(secret: Secret, include: readonly Group[], by: Actor): Promise<MadeBackup> {
    return await this.#alone('not-made', () => this.#make(secret, include, by));
  }

  async #make(secret: Secret, include: readonly Group[], by: Actor): Promise<MadeBackup> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await removeUnfinished(this.#folder);
    const { schemaVersion: _, ...facts } = this.#o.facts();
    const { name, madeAt } = await this.#unusedName(facts.gateway);
    const path = join(this.#folder, name);
    const temp = `${path}${UNFINISHED}`;
    const copy = join(this.#folder, `${name}.db${UNFINISHED}`);
    try {
      const snapshot = await this.#o.database.snapshot(copy, this.#closing.signal);
      const job = {
        dir: this.#o.dir,
        path: temp,
        secret,
        about: { ...facts, madeAt },
        snapshot,
        include,
        minFreeBytes: MIN_FREE_BYTES,
      };
      const { bytes, sha256, manifest } = await makeSealedArchive(job, this.#closing.signal);
      await rename(temp, path);
      await syncDirectory(this.#folder);
      const fields = { name, bytes, leftOut: manifest.leftOut.map((one) => one.path), by: actorName(by) };
      this.#o.log.info('gateway_backup.made', fields);
      await this.#removeOld();
      this.#made.emit();
      return { name, bytes, sha256, contents: contentsOf(manifest), ...(await this.#copyToUsb(name)) };
    } finally {
      await Promise.all([temp, copy].map((file) => rm(file, { force: true })));
    }
  }

  async #copyToUsb(name: string): Promise<{ usb: boolean; usbFailure: Text }> {
    const { usb, log } = this.#o;
    const usbFailure = await usb?.add(join(this.#folder, name), name, this.#closing.signal);
    if (usbFailure === undefined) return { usb: false, usbFailure: '' };
    if (usbFailure === '') log.info('gateway_backup.copied_to_usb', { name });
    else log.error('gateway_backup.not_copied_to_usb', { name, reason: textOf(usbFailure) });
    return { usb: usbFailure === '', usbFailure };
  }

  /** Rejects with `NOT_FOUND`. */
  async pathOf(name: string): Promise<string> {
    return (await this.#find(name)).path;
  }

  /**
   * Stores a part of an uploaded file. After the last part, checks the header, deletes the previous upload and resolves
   * with the backup. Rejects with `INVALID_INPUT` (name), `CONFLICT` (a backup of this gateway has this name,
   * or this is not the next part), `BACKUP_DAMAGED`, `BACKUP_NEWER` or an error of `PartUploads`.
   */
  async upload(
    name: string,
    part: UploadPart,
    chunks: AsyncIterable<Uint8Array>,
    by: Actor,
  ): Promise<UploadProgress | GatewayBackup> {
    if (!NAME.test(name)) {
      throw new GatewayError('INVALID_INPUT', backupMessage('name-invalid'), { field: 'name' });
    }
    if ((await listFolder(this.#folder)).some((made) => made.name === name)) {
      throw new GatewayError('CONFLICT', backupMessage('name-taken'), { field: 'name' });
    }
    const received = await this.#uploads.receive(part, chunks, name);
    if (!('stored' in received)) return received;
    this.#o.log.warn('gateway_backup.uploaded', { name, bytes: part.total, by: actorName(by) });
    return withoutPaths(await this.#find(received.stored));
  }

  /**
   * Decrypts and checks the whole backup, and changes nothing. Rejects with `NOT_FOUND`, `BUSY`, `BACKUP_PASSPHRASE`,
   * `BACKUP_DAMAGED`, `BACKUP_NEWER` or `STORE_FAILED`.
   */
  async inspect(name: string, passphrase: string): Promise<InspectedBackup> {
    const found = await this.#find(name);
    return await this.#alone('not-read', async () => {
      const { schemaVersion, ...facts } = this.#o.facts();
      const job = { path: found.path, passphrase, schemaVersion };
      const manifest = await inspectBackup(job, this.#closing.signal);
      const [contents, problems] = [contentsOf(manifest), problemsOf(manifest, facts)];
      return { ...withoutPaths(found), manifest, contents, problems };
    });
  }

  /** Deletes the copy on the USB stick, too. Rejects with `NOT_FOUND` or `STORE_FAILED`. */
  async remove(name: string, by: Actor): Promise<void> {
    const { path, copy = path } = await this.#find(name);
    await this.#alone('not-deleted', () => Promise.all([...new Set([path, copy])].map(removeFile)));
    this.#o.log.warn('gateway_backup.deleted', { name, by: actorName(by) });
  }

  /** Ends the work in progress, whose files the next start deletes, and deletes an unfinished upload. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#uploads.close();
  }

  /** Runs one job at a time, because each reads or writes a whole file on the SD card. */
  async #alone<T>(failure: 'not-made' | 'not-read' | 'not-deleted', job: () => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted) throw new GatewayError('STOPPING', sharedMessage('stopping'));
    if (this.#isBusy) throw new GatewayError('BUSY', backupMessage('busy'), { retryAfterS: 10 });
    this.#isBusy = true;
    try {
      return await job();
    } catch (caught) {
      const error = caught instanceof GatewayError ? caught : fileError(failure, caught);
      if (failure === 'not-made') this.#o.log.error('gateway_backup.failed', { reason: textOf(error.text) });
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  async #find(name: string): Promise<FoundBackup> {
    const found = (await this.#found()).find((backup) => backup.name === name);
    if (!found) throw new GatewayError('NOT_FOUND', backupMessage('unknown', { name }), { field: 'name' });
    return found;
  }

  /** The name is unique even if the clock was set back. */
  async #unusedName(gateway: string): Promise<{ name: string; madeAt: number }> {
    const part = namePart(gateway);
    const found = await this.list();
    // Also counts this gateway's backups on a USB stick, because they may come from an earlier SD card.
    const own = found.filter(({ name, uploaded, usb }) => !(uploaded || usb) || gatewayOf(name) === part);
    const number = String(Math.max(0, ...own.map(({ name }) => numberOf(name))) + 1).padStart(6, '0');
    for (let madeAt = Math.trunc(this.#o.clock.wallTime()); ; madeAt += 1000) {
      const name = `cartwright-${part}-${number}-${stampOf(madeAt)}.cwbackup`;
      if (!found.some((other) => other.name === name)) return { name, madeAt };
    }
  }

  async #acceptUpload(temp: string, name: string): Promise<string> {
    await readHeader(temp);
    await rename(temp, join(this.#uploadFolder, name));
    await syncDirectory(this.#uploadFolder);
    const others = (await listFolder(this.#uploadFolder)).filter((upload) => upload.name !== name);
    await Promise.all(others.map((upload) => rm(join(this.#uploadFolder, upload.name), { force: true })));
    return name;
  }

  async #removeOld(): Promise<void> {
    const made = await listFolder(this.#folder);
    const old = made.toSorted((a, b) => numberOf(b.name) - numberOf(a.name)).slice(KEEP_MADE);
    await Promise.all(old.map(({ name }) => rm(join(this.#folder, name), { force: true })));
  }
}

/** Returns the part of a backup's data that the API shows. */
function withoutPaths({ path: _path, copy: _copy, ...backup }: FoundBackup): GatewayBackup {
  return backup;
}

/** Returns a gateway's name as a part of a file name. */
function namePart(gateway: string): string {
  const letters = gateway
    .normalize('NFD')
    .replace(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return letters.slice(0, 40).replace(/-+$/, '') || 'gateway';
}

function contentsOf({ parts }: Manifest): ContentSize[] {
  const sizes = new Map<SavedKind, ContentSize>();
  for (const { path, bytes } of parts) {
    const what = contentOf(path)?.what;
    if (what === undefined || what === 'backup' || what === 'safety' || what === 'runtime') continue;
    const size = sizes.get(what) ?? { what, files: 0, bytes: 0 };
    sizes.set(what, { what, files: size.files + 1, bytes: size.bytes + bytes });
  }
  return [...sizes.values()];
}

function problemsOf(manifest: Manifest, facts: Omit<GatewayFacts, 'schemaVersion'>): Text[] {
  const { gateway, cartId } = manifest;
  // Compares only the cart number, because on a new SD card, the gateway does not have its name yet.
  const isOther = cartId !== facts.cartId;
  const unknown = manifest.leftOut.filter(({ reason }) => reason !== 'not-selected').map(({ path }) => path);
  return [
    ...(isOther ? [backupMessage('other-gateway', { name: gateway, cart: cartId })] : []),
    ...(unknown.length > 0 ? [backupMessage('files-missing', { files: unknown.join(', ') })] : []),
  ];
}
