import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface AttackOptions {
  /**
   * `mdns`, `upload`, `hostile-broker`, `idle` (connections that send nothing), or a flood through the broker:
   * `state`, `sightings`, `subscribe`, `ping`, `qos1-unread`, `qos2-unreleased` or `partial`.
   */
  kind: string;
  host: string;
  port: number;
  from?: string;
  connections?: number;
  /** API key for the broker, if one is needed. */
  username?: string;
  password?: string;
  /** Session cookie for uploads. */
  cookie?: string;
  /** Size of a multicast DNS packet. */
  bytes?: number;
  /** Topics of a cart, without the last level. */
  topics?: string;
}

export interface AttackReport {
  opened: number;
  closed: number;
  sent: number;
}

/** An attack from a separate process, which ends with this process. */
export class Attack {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves when all of its connections have been opened. */
  static async start(options: AttackOptions): Promise<Attack> {
    const child = fork(join(import.meta.dirname, 'attack-process.js'), [JSON.stringify(options)]);
    await once(child, 'message');
    return new Attack(child);
  }

  async report(): Promise<AttackReport> {
    const answer = once(this.#child, 'message');
    this.#child.send('report');
    return (await answer)[0] as AttackReport;
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}
