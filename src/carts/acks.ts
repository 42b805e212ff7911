import type { Command } from './lifecycle.js';
import type { CommandState, Reason } from './model.js';
import { ackBody, answerBody } from './tree-write.js';
import type { Voice } from './voice.js';

const KEEP_ENDED = 4;
const OPTIONS = { qos: 0, expiryS: 5 } as const;

/** Tells the tree how far every command of this cart has got. */
export class Acks {
  #voice: Voice;
  #told = new WeakMap<Command, CommandState>();
  #commands = new Map<string, Command>();

  constructor(voice: Voice) {
    this.#voice = voice;
  }

  /** Every command that is not at its end, and the newest that are, oldest first. */
  get commands(): Command[] {
    return [...this.#commands.values()];
  }

  /** A command has (perhaps) moved on: told once for every state. */
  moved(command: Command): void {
    if (this.#told.get(command) === command.state) return;
    this.#commands.set(command.id, command);
    const ended = this.commands.filter(({ final }) => final);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - KEEP_ENDED))) this.#commands.delete(id);
    this.tell(command);
  }

  /** Tells the present state, again if need be. */
  tell(command: Command): void {
    this.#told.set(command, command.state);
    void this.#voice.say('ack', ackBody(command), OPTIONS);
  }

  /** Answers a wish that is no command of this cart: done, or refused with a reason. */
  answer(id: string, to: { gatewayId: string } | undefined, simulated: boolean, reason?: Reason): void {
    void this.#voice.say('ack', answerBody(id, to, simulated, reason), OPTIONS);
  }
}
