import type { ActionState } from './tree-state.js';

const KEEP_STATES = 10;
const KEEP_IDS = 200;

/** Which instant actions have come, and what became of the newest. */
export class ActionLog {
  #states: ActionState[] = [];
  #seen = new Set<string>();

  /** Oldest first. */
  get states(): ActionState[] {
    return this.#states;
  }

  /** Notes the id; false when it has come before. */
  isNew(actionId: string): boolean {
    if (this.#seen.has(actionId)) return false;
    this.#seen.add(actionId);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEEP_IDS && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }

  ended(state: ActionState): void {
    this.#states = [...this.#states.slice(1 - KEEP_STATES), state];
  }
}
