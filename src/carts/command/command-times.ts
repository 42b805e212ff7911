import { Durations, type Labels, Tally } from '../../shared/metric.js';
import type { Command } from './command.js';
import type { CommandState } from './model.js';

/** Bucket bounds in seconds after acceptance: sending takes milliseconds, a motion up to a minute. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const STAGES: Partial<Record<CommandState, string>> = {
  SENT: 'sent',
  ACKNOWLEDGED: 'acknowledged',
  FINISHED: 'finished',
};

/** Times from acceptance to each stage, and the number of commands in each final state. */
export class CommandTimes {
  readonly #stages = new Map<string, { labels: Labels; times: Durations }>();
  readonly #ends = new Tally();
  /**
   * Number of transitions already recorded for each command, because a notification can repeat earlier transitions
   * or cover several new ones.
   */
  readonly #seen = new WeakMap<Command, number>();

  take(command: Command): void {
    const { transitions, destination, acceptedAtMs } = command;
    const seen = this.#seen.get(command) ?? 0;
    if (seen === transitions.length) return;
    this.#seen.set(command, transitions.length);
    for (const { state, atMs } of transitions.slice(seen)) {
      const stage = STAGES[state];
      if (stage) this.#timesOf(stage, destination).record(atMs - acceptedAtMs);
    }
    if (command.final) this.#ends.add(destination, command.state.toLowerCase(), command.reason?.code ?? '');
  }

  get stages(): [Labels, Durations][] {
    return [...this.#stages.values()].map(({ labels, times }) => [labels, times]);
  }

  get ends(): [Labels, number][] {
    return this.#ends.rows('destination', 'state', 'reason');
  }

  #timesOf(stage: string, destination: string): Durations {
    const key = `${stage} ${destination}`;
    const known = this.#stages.get(key);
    if (known) return known.times;
    const made = { labels: { stage, destination }, times: new Durations(BOUNDS_S) };
    this.#stages.set(key, made);
    return made.times;
  }
}
