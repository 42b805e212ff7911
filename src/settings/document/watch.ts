import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Fault, messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';

const DEBOUNCE_MS = 300;
/** How long until an edit that came while the cart moved is looked at again. */
const RETRY_MS = 1000;

/**
 * Notices that a file was changed, 300 ms after the last change. Watches the directory, not the file: editors save by
 * renaming, and a watch on the file would stay with the old one.
 */
export class FileWatch {
  readonly #path: string;
  readonly #o: { clock: Clock; log: Log };
  #watcher: FSWatcher | undefined;
  #cancelTimer: Cancel = () => {};
  #onEdit: () => void = () => {};
  /** Why edits go unnoticed, when they do. */
  faults: Fault[] = [];

  constructor(path: string, o: { clock: Clock; log: Log }) {
    this.#path = path;
    this.#o = o;
  }

  /** Calls `onEdit` now, for what has happened so far, and after every change. */
  start(onEdit: () => void): void {
    this.stop();
    this.#onEdit = onEdit;
    try {
      this.#watcher = watch(dirname(this.#path), { persistent: false }, (_event, name) => {
        if (name === null || name === basename(this.#path)) this.#callIn(DEBOUNCE_MS);
      });
      this.#watcher.on('error', (error) => this.#fail(error));
    } catch (error) {
      this.#fail(error); // the system has no watches left
    }
    onEdit();
  }

  /** Calls `onEdit` once more, a second from now. */
  retry(): void {
    if (this.#watcher) this.#callIn(RETRY_MS);
  }

  stop(): void {
    this.#cancelTimer();
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #callIn(delayMs: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#o.clock.after(delayMs, this.#onEdit);
  }

  #fail(error: unknown): void {
    this.#o.log.warn('settings.watch_failed', { reason: messageOf(error) });
    const message = 'edits by hand are only taken at the next start, for the directory cannot be watched';
    this.faults = [{ path: basename(this.#path), message }];
  }
}
