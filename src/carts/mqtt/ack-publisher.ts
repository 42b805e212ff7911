import type { Command } from '../command/command.js';
import type { CommandState } from '../command/model.js';
import { type Answer, ackBody, answerBody } from './messages/write.js';
import type { CartPublisher, ReplyAddress } from './publisher.js';

const KEEP_ENDED = 4;
const OPTIONS = { qos: 0, expiryS: 5 } as const;

/** Tells the tree how far every command of this cart has got. */
export class AckPublisher {
  #publisher: CartPublisher;
  #told = new WeakMap<Command, CommandState>();
  #commands = new Map<string, Command>();
  #askers = new WeakMap<Command, ReplyAddress>();

  constructor(publisher: CartPublisher) {
    this.#publisher = publisher;
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
    this.#say(ackBody(command), this.#askers.get(command));
  }

  /** From now on whoever asked for this command is told of it at his own address as well: how it stands, and how it goes on. */
  follow(command: Command, asker: ReplyAddress): void {
    this.#askers.set(command, asker);
    void this.#publisher.answer(asker, ackBody(command), OPTIONS);
  }

  /** Answers a wish that is no command of this cart. */
  answer(id: string, answer: Answer, asker: ReplyAddress | undefined): void {
    this.#say(answerBody(id, answer), asker);
  }

  #say(body: object, asker: ReplyAddress | undefined): void {
    void this.#publisher.publish('ack', body, OPTIONS);
    if (asker) void this.#publisher.answer(asker, body, OPTIONS);
  }
}
