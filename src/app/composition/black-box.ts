import { join } from 'node:path';
import type { ImageSource } from '../../camera/index.js';
import { type Cart, type Command, type CommandDispatcher, Deframer, type Frame } from '../../carts/index.js';
import type { Settings } from '../../settings/index.js';
import { type Actor, conditionActor } from '../../shared/actor.js';
import type { ErrorCode } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { MessageBus } from '../../shared/ports/mqtt.js';
import type { ByteLink, ByteLinkOpener } from '../../shared/ports/serial.js';
import { BlackBox, type TimedBytes, UNRECORDED_PROTECTIVE_CODES } from '../../system/index.js';
import type { AppContext } from '../context.js';
import type { GatewayFacts } from './facts.js';

const LINK_CODES: ReadonlySet<ErrorCode> = new Set([
  'SERIAL_LOST',
  'SERIAL_DOWN',
  'SERIAL_ACK_TIMEOUT',
  'CONTROLLER_RESET',
  'LINE_NOISE',
  'STOP_UNCONFIRMED',
  'NOT_STOPPED',
]);
/** The controller ends these motions itself, so that they emit no `protective_stop` event. */
const PROTECTIVE: ReadonlySet<ErrorCode> = new Set(UNRECORDED_PROTECTIVE_CODES);
const MOVED: ReadonlySet<string> = new Set(['ACKNOWLEDGED', 'RUNNING']);

/** Saves a recording of every E-stop, every protective stop and every link loss that occurs during motion. */
export function recordStops(
  box: Pick<BlackBox, 'freeze' | 'addCommand'>,
  {
    cart,
    dispatcher,
  }: {
    cart: Pick<Cart, 'onSafety' | 'view'>;
    dispatcher: Pick<CommandDispatcher, 'onCommand' | 'onOwnCommand'>;
  },
): void {
  cart.onSafety((event) => {
    // A press that stops nothing needs no recording: writing one every few seconds would wear out the card.
    if (event.repeated && !cart.view().moving) return;
    if (event.kind === 'estop.latched') box.freeze('estop', event.by);
    if (event.kind === 'protective_stop') box.freeze('protective-stop', event.by);
  });
  dispatcher.onCommand((command) => box.addCommand(command.view()));
  dispatcher.onOwnCommand((command) => {
    const loss = stopReason(command, LINK_CODES);
    if (loss !== undefined) box.freeze('link-loss', loss);
    const obstacle = stopReason(command, PROTECTIVE);
    if (obstacle !== undefined) box.freeze('protective-stop', obstacle);
  });
}

/** Holds the recordings; nothing is sampled before `startRecorder`. */
export function openBlackBox({ config, clock, log }: AppContext): BlackBox {
  return new BlackBox({ dir: join(config.dataDir, 'black-box'), clock, log });
}

interface RecorderModules {
  blackBox: BlackBox;
  ownCart: { cart: Pick<Cart, 'busy' | 'view'> };
  mqtt: { bus: Pick<MessageBus, 'status'> };
  camera: { source: ImageSource };
  facts: Pick<GatewayFacts, 'about'>;
}

/** Starts sampling. Returns the black box, which closes the recorder. */
export function startRecorder(
  { processMonitor, settings, logRing }: AppContext,
  { blackBox: box, ownCart: { cart }, mqtt: { bus }, camera: { source }, facts }: RecorderModules,
): BlackBox {
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
    about: () => ({ gateway: facts.about(), settings: settings.masked() }),
    logLines: () => logRing.lines({ limit: 1000 }),
  });
  return box;
}

/** Returns undefined unless the command has moved the cart and failed with one of these codes. */
function stopReason(
  { state, reason, transitions }: Command,
  codes: ReadonlySet<ErrorCode>,
): Actor | undefined {
  if (state !== 'FAILED' || !reason || !codes.has(reason.code)) return undefined;
  return transitions.some((transition) => MOVED.has(transition.state))
    ? conditionActor('input', reason.text)
    : undefined;
}

/** Outgoing bytes are recorded after they have been written. */
export function recordingOpener(opener: ByteLinkOpener, box: Pick<BlackBox, 'addBytes'>): ByteLinkOpener {
  const { path, simulated } = opener;
  return { path, simulated, open: async () => recordBytes(await opener.open(), box) };
}

function recordBytes(link: ByteLink, box: Pick<BlackBox, 'addBytes'>): ByteLink {
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

export function* describeFrames(
  chunks: Iterable<TimedBytes>,
  dialect: Settings['serial']['driver'],
): Iterable<string> {
  if (dialect === 'roboclaw' || dialect === 'sabertooth') return yield* describePackets(chunks);
  const end = dialect === 'cgw1' ? 0x00 : 0x0a;
  const describe = dialect === 'cgw1' ? describeCgw1 : describeText;
  const pending = { out: Buffer.alloc(0), in: Buffer.alloc(0) };
  for (const { direction, time, bytes } of chunks) {
    let rest = Buffer.concat([pending[direction], bytes]);
    for (let at = rest.indexOf(end); at >= 0; at = rest.indexOf(end)) {
      const frame = rest.subarray(0, at + 1);
      rest = rest.subarray(at + 1);
      if (frame.length > 1)
        yield `${time} ${direction.padEnd(3)} ${describe(frame)}  ${frame.toString('hex')}`;
    }
    pending[direction] = rest.length > 1024 ? Buffer.alloc(0) : rest;
  }
}

/** Returns one line per chunk, because the data of a board with a packet protocol has no delimiters. */
function* describePackets(chunks: Iterable<TimedBytes>): Iterable<string> {
  for (const { direction, time, bytes } of chunks)
    yield `${time} ${direction.padEnd(3)} ${Buffer.from(bytes).toString('hex')}`;
}

function describeCgw1(bytes: Uint8Array): string {
  let text = '?';
  new Deframer(
    (frame: Frame) => {
      const { type, ...fields } = frame;
      text = [type, ...Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
    },
    (cause) => {
      text = `damaged (${cause})`;
    },
  ).push(bytes);
  return text;
}

function describeText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]/g, '');
}

/** Keeps the camera running while the cart is moving, if the camera has delivered an image before. */
class MovingCamera {
  readonly #source: Pick<ImageSource, 'view' | 'acquire'>;
  #release: Cancel | undefined;

  constructor(source: Pick<ImageSource, 'view' | 'acquire'>) {
    this.#source = source;
  }

  follow(moving: boolean): void {
    if (moving && this.#source.view().newest > 0) this.#release ??= this.#source.acquire();
    if (moving) return;
    this.#release?.();
    this.#release = undefined;
  }
}
