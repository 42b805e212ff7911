import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Fault, messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { settingsMessage } from '../messages.js';

const DEBOUNCE_MS = 300;
const RETRY_MS = 1000;

/** Watches the directory, because editors replace the file and a file watch would follow the old inode. */
export class FileWatch {
  readonly #path: string;
  readonly #o: { clock: Clock; log: Log };
  #watcher: FSWatcher | undefined;
  #cancelTimer: Cancel = () => {};
  #onEdit: () => void = () => {};
  faults: Fault[] = [];

  constructor(path: string, o: { clock: Clock; log: Log }) {
    this.#path = path;
    this.#o = o;
  }

  /** Calls `onEdit` immediately, to apply earlier edits, and after each later edit. */
  start(onEdit: () => void): void {
    this.stop();
    this.#onEdit = onEdit;
    try {
      this.#watcher = watch(dirname(this.#path), { persistent: false }, (_event, name) => {
        if (name === null || name === basename(this.#path)) this.#callIn(DEBOUNCE_MS);
      });
      this.#watcher.on('error', (error) => this.#fail(error));
    } catch (error) {
      this.#fail(error); // `watch` throws if, for example, the inotify watch limit is reached.
    }
    onEdit();
  }

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
    const message = settingsMessage('not-watched');
    this.faults = [{ path: basename(this.#path), message }];
  }
}
