import type { Command } from '../command/command.js';
import type { CommandState } from '../command/model.js';
import { type AnswerMessage, ackBody, answerBody } from './messages/write.js';
import type { CartPublisher, ReplyAddress } from './publisher.js';

const KEEP_ENDED = 4;
const OPTIONS = { qos: 0, expiryS: 5 } as const;

export class AckPublisher {
  #publisher: CartPublisher;
  #onMeasured: () => void;
  #published = new WeakMap<Command, CommandState>();
  #commands = new Map<string, Command>();
  #replyAddresses = new WeakMap<Command, ReplyAddress>();

  /** @param onMeasured called after a command has ended and its distance has been published. */
  constructor(publisher: CartPublisher, onMeasured: () => void) {
    this.#publisher = publisher;
    this.#onMeasured = onMeasured;
  }

  get commands(): Command[] {
    return [...this.#commands.values()];
  }

  onTransition(command: Command): void {
    if (this.#published.get(command) === command.state) return;
    this.#commands.set(command.id, command);
    const ended = this.commands.filter(({ final }) => final);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - KEEP_ENDED))) this.#commands.delete(id);
    this.republish(command);
    if (!command.final) return;
    command.onMeasured(() => {
      this.republish(command);
      this.#onMeasured();
    });
  }

  republish(command: Command): void {
    this.#published.set(command, command.state);
    this.#send(ackBody(command), this.#replyAddresses.get(command));
  }

  /** Sends the command's current state and all later states to `replyTo`, in addition to `ack`. */
  addReplyAddress(command: Command, replyTo: ReplyAddress): void {
    this.#replyAddresses.set(command, replyTo);
    void this.#publisher.answer(replyTo, ackBody(command), OPTIONS);
  }

  /** Responds to a request that did not create a command on this cart. */
  answer(id: string, answer: AnswerMessage, replyTo: ReplyAddress | undefined): void {
    this.#send(answerBody(id, answer), replyTo);
  }

  #send(body: object, replyTo: ReplyAddress | undefined): void {
    void this.#publisher.publish('ack', body, OPTIONS);
    if (replyTo) void this.#publisher.answer(replyTo, body, OPTIONS);
  }
}
