import { Durations, type Labels, Tally } from '../../shared/metric.js';
import type { Command } from './command.js';
import type { CommandState } from './model.js';

/** Bucket bounds in seconds since acceptance: from milliseconds on the wire to a minute for a move. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The states whose time is recorded, with their stage labels. */
const STAGES: Partial<Record<CommandState, string>> = {
  SENT: 'sent',
  ACKNOWLEDGED: 'acknowledged',
  FINISHED: 'finished',
};

/** Command metrics: time from acceptance to sending, acknowledgement and completion, and final states. */
export class CommandTimes {
  readonly #stages = new Map<string, { labels: Labels; times: Durations }>();
  readonly #ends = new Tally();
  /** Transitions recorded for each command: one notification may repeat a transition, or cover two. */
  readonly #seen = new WeakMap<Command, number>();

  /** Records the new transitions of a command, if any. */
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

  /** By stage and destination. */
  get stages(): [Labels, Durations][] {
    return [...this.#stages.values()].map(({ labels, times }) => [labels, times]);
  }

  /** Commands that have ended, by destination, state and reason. */
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
