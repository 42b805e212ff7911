import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../shared/errors.js';
import { fileErrorCode, writeFileAtomic } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import type { Log } from '../../shared/ports/log.js';
import { BOARDS, type Board } from '../../shared/ports/serial.js';
import { SerialQueue } from '../../shared/queues.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { firmwareMessage } from './messages.js';

interface Recorded {
  /** True from before the first byte is written until the firmware has passed a self-test. */
  pending: boolean;
  /** The most recently selected board. */
  board: Board | null;
}

/**
 * The durable record of updates (`firmware-update.json`). While an update is pending, the cart must not move,
 * even after a restart or a power cut.
 */
export class UpdateRecord {
  readonly #path: string;
  readonly #queue = new SerialQueue();
  #recorded: Recorded;
  #isRunning = false;

  private constructor(path: string, recorded: Recorded) {
    this.#path = path;
    this.#recorded = recorded;
  }

  /** If the file cannot be read, an update counts as pending. */
  static async open({ dir, log }: { dir: string; log: Log }): Promise<UpdateRecord> {
    const path = join(dir, 'firmware-update.json');
    try {
      return new UpdateRecord(path, recordedOf(JSON.parse(await readFile(path, 'utf8'))));
    } catch (error) {
      const isMissing = fileErrorCode(error) === 'ENOENT';
      if (!isMissing) log.error('firmware.record_unreadable', { path, reason: messageOf(error) });
      return new UpdateRecord(path, { pending: !isMissing, board: null });
    }
  }

  get isPending(): boolean {
    return this.#recorded.pending;
  }

  get board(): Board | null {
    return this.#recorded.board;
  }

  /** Why the cart must not move; empty if no update is pending. */
  get motionBlock(): Text {
    if (!this.isPending) return '';
    return firmwareMessage(this.#isRunning ? 'running' : 'interrupted');
  }

  /** Blocks motion before this method returns. If the record cannot be saved, rejects and has no effect. */
  async begin(board: Board): Promise<void> {
    const before = this.#recorded;
    this.#recorded = { pending: true, board };
    this.#isRunning = true;
    try {
      await this.#write(this.#recorded);
    } catch (error) {
      this.#recorded = before;
      this.#isRunning = false;
      throw error;
    }
  }

  /** Must be called after every update, whether it succeeded or failed. */
  rest(): void {
    this.#isRunning = false;
  }

  /** The change takes effect once it is on disk. Rejects if the record cannot be saved. */
  async end(): Promise<void> {
    const ended = { pending: false, board: this.board };
    await this.#write(ended);
    this.#recorded = ended;
  }

  #write(recorded: Recorded): Promise<void> {
    return this.#queue.take(() => writeFileAtomic(this.#path, `${JSON.stringify(recorded, null, 2)}\n`));
  }
}

function recordedOf(json: unknown): Recorded {
  if (!isJsonObject(json) || typeof json.pending !== 'boolean')
    throw new Error('the file is not an update record');
  return { pending: json.pending, board: BOARDS.find((board) => board === json.board) ?? null };
}
