import type { ActionState } from './messages/state.js';

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

  /** An action is under way; `ended` wants what this returns. */
  begun({ actionId, actionType }: Pick<ActionState, 'actionId' | 'actionType'>): ActionState {
    const state: ActionState = { actionId, actionType, actionStatus: 'RUNNING' };
    this.#add(state);
    return state;
  }

  /** What became of an action takes the place of its beginning, if that was told: several may have one id. */
  ended(state: ActionState, begun?: ActionState): void {
    this.#states = this.#states.filter((other) => other !== begun);
    this.#add(state);
  }

  #add(state: ActionState): void {
    this.#states = [...this.#states.slice(1 - KEEP_STATES), state];
  }
}
