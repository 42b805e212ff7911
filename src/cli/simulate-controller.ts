import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { serialOpener } from '../adapters/serialport/serialport.js';
import { systemClock } from '../shared/clock.js';
import { messageOf } from '../shared/errors.js';
import { createLog, LogThreshold } from '../shared/log.js';
import type { ByteLink, ByteLinkOpener } from '../shared/ports/serial.js';
import { type BoardProgramName, isProgramName, PROGRAMS } from '../simulator/boards/programs.js';
import { CONSOLE_HELP, executeLine } from '../simulator/console.js';
import { SimulatedController, type Snapshot } from '../simulator/controller/controller.js';

const REOPEN_MS = 500;
const USAGE = `usage: npm run simulate:controller -- --path <tty> [--baud 115200] [--dialect ${PROGRAMS.join('|')}]

Runs a simulated motor controller on a serial line. Prints a JSON line for each change of state.
Reads commands from standard input, one per line:
${CONSOLE_HELP.map((line) => `  ${line}`).join('\n')}
`;

interface Options {
  path: string;
  baudRate: number;
  dialect: BoardProgramName;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      path: { type: 'string' },
      baud: { type: 'string', default: '115200' },
      dialect: { type: 'string', default: 'cgw1' },
    },
  });
  const { path, baud, dialect } = values;
  if (path === undefined) throw new Error('--path must be the tty of the serial line, such as /dev/pts/3');
  if (!/^[1-9]\d{2,6}$/.test(baud)) throw new Error(`--baud must be a rate such as 115200, not "${baud}"`);
  if (!isProgramName(dialect)) throw new Error(`unknown dialect "${dialect}"`);
  return { path, baudRate: Number(baud), dialect };
}

function print(event: string, fields: object): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...fields })}\n`);
}

/** Prints changes in the controller's state, except for the pose and measured values. */
function printChanges(controller: SimulatedController): void {
  const summaryOf = ({ state, enable, wireId, estop, faults, starts }: Snapshot) =>
    JSON.stringify({ state, enable, wireId, estop, faults, starts });
  let before = '';
  controller.onReport((snapshot) => {
    const now = summaryOf(snapshot);
    if (now !== before) print('controller.changed', snapshot);
    before = now;
  });
}

/** Reopens the controller's serial line after a connection loss. */
class LineConnection {
  readonly #opener: ByteLinkOpener;
  readonly #controller: SimulatedController;
  #link: ByteLink | undefined;
  #lastReason = '';
  #closing = false;

  constructor(opener: ByteLinkOpener, controller: SimulatedController) {
    this.#opener = opener;
    this.#controller = controller;
    controller.onSend((bytes) => this.#send(bytes));
  }

  async connect(): Promise<void> {
    try {
      const link = await this.#opener.open();
      this.#link = link;
      this.#lastReason = '';
      link.onBytes((bytes) => this.#controller.receive(bytes));
      link.onClose((cause) => this.#lose(cause?.message ?? 'closed'));
      print('line.opened', { path: this.#opener.path });
    } catch (error) {
      this.#lose(messageOf(error));
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#link?.close();
  }

  #send(bytes: Uint8Array): void {
    try {
      this.#link?.write(bytes);
    } catch (error) {
      this.#report(messageOf(error));
    }
  }

  #lose(reason: string): void {
    this.#link = undefined;
    if (this.#closing) return;
    this.#report(reason);
    setTimeout(() => void this.connect(), REOPEN_MS);
  }

  #report(reason: string): void {
    if (reason !== this.#lastReason) print('line.failed', { path: this.#opener.path, reason });
    this.#lastReason = reason;
  }
}

async function run({ path, baudRate, dialect }: Options): Promise<void> {
  const controller = new SimulatedController({ clock: systemClock, dialect, seed: process.pid });
  const opener = serialOpener({ path, baudRate, log: createLog(new LogThreshold('warn')) });
  const connection = new LineConnection(opener, controller);
  const stop = (): void => {
    controller.close();
    void connection.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Stops if the process that reads the output has exited.
  process.stdout.on('error', stop);
  printChanges(controller);
  await connection.connect();
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() !== '') print('console.answered', executeLine(controller, line));
  });
}

try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
