import type { ImageSource } from '../../camera/capture/model.js';
import type { Command } from '../../carts/command/command.js';
import type { CommandDispatcher } from '../../carts/command/dispatcher.js';
import type { Cart } from '../../carts/control/cart.js';
import { Deframer, type Frame } from '../../carts/serial/codec/codec.js';
import type { SettingsService } from '../../settings/document/settings.js';
import type { Settings } from '../../settings/schema/schema.js';
import { textOf } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { MessageBus } from '../../shared/ports/mqtt.js';
import type { ByteLink, ByteLinkOpener } from '../../shared/ports/serial.js';
import type { LogRing } from '../../system/health/log-ring.js';
import type { ProcessMonitor } from '../../system/health/process-monitor.js';
import type { BlackBox, TimedBytes } from '../../system/incidents/black-box.js';

interface BlackBoxParts {
  cart: Pick<Cart, 'busy' | 'view'>;
  bus: Pick<MessageBus, 'status'>;
  source: ImageSource;
  processMonitor: ProcessMonitor;
  settings: Pick<SettingsService, 'current' | 'masked'>;
  logRing: LogRing;
  /** What is said of the gateway in the box. */
  about: () => object;
}

/** Codes of commands that ended because the line to the controller failed. */
const LINE_CODES: ReadonlySet<string> = new Set([
  ...['SERIAL_LOST', 'SERIAL_DOWN', 'SERIAL_ACK_TIMEOUT', 'CONTROLLER_RESET'],
  ...['LINE_NOISE', 'STOP_UNCONFIRMED', 'NOT_STOPPED'],
]);
const MOVED: ReadonlySet<string> = new Set(['ACKNOWLEDGED', 'RUNNING']);

/** Every stop that somebody will ask about later closes the box at once. */
export function recordStops(
  box: Pick<BlackBox, 'freeze' | 'addCommand'>,
  {
    cart,
    dispatcher,
  }: { cart: Pick<Cart, 'onSafety'>; dispatcher: Pick<CommandDispatcher, 'onCommand' | 'onOwnCommand'> },
): void {
  cart.onSafety((event) => {
    if (event.kind === 'estop.latched') box.freeze('estop', textOf(event.by));
    if (event.kind === 'protective_stop') box.freeze('protective-stop', textOf(event.by));
  });
  dispatcher.onCommand((command) => box.addCommand(command.view()));
  dispatcher.onOwnCommand((command) => {
    const loss = lineLostIn(command);
    if (loss !== undefined) box.freeze('link-loss', loss);
  });
}

/** What the box looks at again and again while the gateway runs. */
export function startBlackBox(box: BlackBox, parts: BlackBoxParts): void {
  const { cart, bus, source, processMonitor, settings, about, logRing } = parts;
  const movingCamera = new MovingCamera(source);
  source.onImage(({ jpeg }) => box.addStill(jpeg));
  box.start({
    sample: () => {
      const moving = cart.busy;
      movingCamera.follow(moving);
      const { link: line, safety, telemetry, pose, ageMs } = cart.view();
      return {
        moving,
        ageMs,
        line,
        safety,
        telemetry,
        pose,
        broker: bus.status(),
        lag: processMonitor.read().lag,
      };
    },
    describeFrames: (frames) => describeFrames(frames, settings.current.serial.driver),
    about: () => ({ gateway: about(), settings: settings.masked() }),
    logLines: () => logRing.lines({ limit: 1000 }),
  });
}

/** Why the line failed while this command moved the cart; undefined when it did not. */
function lineLostIn({ state, reason, transitions }: Command): string | undefined {
  if (state !== 'FAILED' || !reason || !LINE_CODES.has(reason.code)) return undefined;
  return transitions.some((transition) => MOVED.has(transition.state)) ? textOf(reason.text) : undefined;
}

/** The same direction to the controller, with the black box listening on the line. It hears what was written, after that. */
export function recordingOpener(opener: ByteLinkOpener, box: Pick<BlackBox, 'addBytes'>): ByteLinkOpener {
  const { path, simulated } = opener;
  return { path, simulated, open: async () => listenOn(await opener.open(), box) };
}

function listenOn(link: ByteLink, box: Pick<BlackBox, 'addBytes'>): ByteLink {
  link.onBytes((bytes) => box.addBytes('in', bytes));
  return {
    write(bytes) {
      link.write(bytes);
      box.addBytes('out', bytes);
    },
    onBytes: (listener) => link.onBytes(listener),
    onClose: (listener) => link.onClose(listener),
    close: () => link.close(),
  };
}

/** What went over the line, a frame a line: time, direction, what it says, its bytes. */
export function* describeFrames(
  pieces: Iterable<TimedBytes>,
  dialect: Settings['serial']['driver'],
): Iterable<string> {
  if (dialect === 'roboclaw' || dialect === 'sabertooth') return yield* describePackets(pieces);
  const end = dialect === 'cgw1' ? 0x00 : 0x0a;
  const say = dialect === 'cgw1' ? describeCgw1 : describeText;
  const begun = { out: Buffer.alloc(0), in: Buffer.alloc(0) };
  for (const { direction, time, bytes } of pieces) {
    let rest = Buffer.concat([begun[direction], bytes]);
    for (let at = rest.indexOf(end); at >= 0; at = rest.indexOf(end)) {
      const frame = rest.subarray(0, at + 1);
      rest = rest.subarray(at + 1);
      if (frame.length > 1) yield `${time} ${direction.padEnd(3)} ${say(frame)}  ${frame.toString('hex')}`;
    }
    // Noise without an end must not grow for ten minutes.
    begun[direction] = rest.length > 1024 ? Buffer.alloc(0) : rest;
  }
}

/** These packets have no mark at their end: as they were written, and as they came. */
function* describePackets(pieces: Iterable<TimedBytes>): Iterable<string> {
  for (const { direction, time, bytes } of pieces)
    yield `${time} ${direction.padEnd(3)} ${Buffer.from(bytes).toString('hex')}`;
}

function describeCgw1(bytes: Uint8Array): string {
  let words = '?';
  new Deframer(
    (frame: Frame) => {
      const { type, ...fields } = frame;
      words = [type, ...Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
    },
    (cause) => {
      words = `damaged (${cause})`;
    },
  ).push(bytes);
  return words;
}

function describeText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]/g, '');
}

/** Keeps the camera running while the cart moves, if it has ever given a picture: one that is not there is not tried. */
class MovingCamera {
  readonly #source: Pick<ImageSource, 'view' | 'acquire'>;
  #letGo: Cancel | undefined;

  constructor(source: Pick<ImageSource, 'view' | 'acquire'>) {
    this.#source = source;
  }

  /** Called again and again. */
  follow(moving: boolean): void {
    if (moving && this.#source.view().newest > 0) this.#letGo ??= this.#source.acquire();
    if (moving) return;
    this.#letGo?.();
    this.#letGo = undefined;
  }
}
