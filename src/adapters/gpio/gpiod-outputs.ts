import type { GatewayError } from '../../shared/errors.js';
import { GpiodChild, type GpiodTools, run } from './gpiod-tools.js';

export interface GpiodOutputs {
  set(line: number, high: boolean): void;
  close(): Promise<void>;
}

interface OutputsOptions {
  tools: GpiodTools;
  chip: string;
  levels: ReadonlyMap<number, boolean>;
  /** Called if the lines are no longer driven, unless `close` was called. */
  onLost: (error: GatewayError) => void;
}

export function openOutputs(options: OutputsOptions): GpiodOutputs {
  return options.tools.version === 2 ? new InteractiveOutputs(options) : new HeldOutputs(options);
}

const text = (line: number, high: boolean): string => `${line}=${high ? 1 : 0}`;

/** libgpiod 2: one gpioset process drives all lines and reads changes from standard input. */
class InteractiveOutputs implements GpiodOutputs {
  #child: GpiodChild;
  #levels: Map<number, boolean>;
  #closing = false;

  constructor({ tools, chip, levels, onLost }: OutputsOptions) {
    this.#levels = new Map(levels);
    this.#child = new GpiodChild(
      tools.hold(
        chip,
        [...levels].map((entry) => text(...entry)),
      ),
    );
    void this.#child.ended.then((error) => this.#closing || onLost(error));
  }

  set(line: number, high: boolean): void {
    if (this.#levels.get(line) === high) return;
    this.#levels.set(line, high);
    this.#child.write(`set ${text(line, high)}`);
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#child.write('exit');
    await this.#child.ended;
  }
}

/** libgpiod 1: gpioset can only hold its initial level, so each change requires a new process. */
class HeldOutputs implements GpiodOutputs {
  #options: OutputsOptions;
  #lines: Map<number, HeldLine>;

  constructor(options: OutputsOptions) {
    this.#options = options;
    const { tools, chip, levels, onLost } = options;
    const hold = (line: number) => (high: boolean) => new GpiodChild(tools.hold(chip, [text(line, high)]));
    this.#lines = new Map([...levels].map(([line, high]) => [line, new HeldLine(hold(line), high, onLost)]));
  }

  set(line: number, high: boolean): void {
    this.#lines.get(line)?.set(high);
  }

  async close(): Promise<void> {
    const { tools, chip } = this.#options;
    const levels = [...this.#lines].map(([line, { level }]) => text(line, level));
    await Promise.all([...this.#lines.values()].map((line) => line.close()));
    await run(tools.once(chip, levels));
  }
}

class HeldLine {
  #hold: (high: boolean) => GpiodChild;
  #level: boolean;
  #child: GpiodChild;
  #isEnding = false;
  #isClosing = false;
  #done: Promise<void>;

  constructor(hold: (high: boolean) => GpiodChild, high: boolean, lost: (error: GatewayError) => void) {
    this.#hold = hold;
    this.#level = high;
    this.#child = hold(high);
    this.#done = this.#follow(lost);
  }

  get level(): boolean {
    return this.#level;
  }

  set(high: boolean): void {
    if (high === this.#level) return;
    this.#level = high;
    this.#end();
  }

  close(): Promise<void> {
    this.#isClosing = true;
    this.#end();
    return this.#done;
  }

  /** After gpioset is killed, the pull resistor sets the line's level until the next process drives it. */
  #end(): void {
    this.#isEnding = true;
    this.#child.kill();
  }

  /** Starts the next process after the previous one has exited, because only one process can hold a line. */
  async #follow(lost: (error: GatewayError) => void): Promise<void> {
    for (;;) {
      const error = await this.#child.ended;
      if (this.#isClosing) return;
      if (!this.#isEnding) return lost(error);
      this.#isEnding = false;
      this.#child = this.#hold(this.#level);
    }
  }
}
