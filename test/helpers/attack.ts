import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface AttackOptions {
  /**
   * `mdns`, `upload`, `hostile-broker`, `fill-http`, `fill-https` or `fill-broker` (connections that complete one
   * request and then stay open), or a flood through the broker: `state`, `sightings`, `subscribe`, `ping`,
   * `qos1-unread`, `qos2-unreleased` or `partial`.
   */
  kind: string;
  host: string;
  port: number;
  /** Source addresses, which the connections use in turn. */
  from?: readonly string[];
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
    const attack = new Attack(child);
    await attack.#message();
    return attack;
  }

  async report(): Promise<AttackReport> {
    const answer = this.#message();
    this.#child.send('report');
    return (await answer) as AttackReport;
  }

  /** Rejects if the process ends first. */
  async #message(): Promise<unknown> {
    const aborter = new AbortController();
    const { signal } = aborter;
    const ended = once(this.#child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the attack ended with ${code}`);
    });
    try {
      return (await Promise.race([once(this.#child, 'message', { signal }), ended]))[0];
    } finally {
      aborter.abort();
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}
