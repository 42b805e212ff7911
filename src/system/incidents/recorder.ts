import type { ImageSource } from '../../camera/index.js';
import type { Cart, Command, CommandDispatcher } from '../../carts/index.js';
import { type Actor, conditionActor } from '../../shared/actor.js';
import type { ErrorCode } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { ByteLink, ByteLinkOpener } from '../../shared/ports/serial.js';
import { UNRECORDED_PROTECTIVE_CODES } from '../history/entries.js';
import type { BlackBox } from './black-box.js';

const LINK_CODES: ReadonlySet<ErrorCode> = new Set([
  'SERIAL_LOST',
  'SERIAL_DOWN',
  'SERIAL_ACK_TIMEOUT',
  'CONTROLLER_RESET',
  'LINE_NOISE',
  'STOP_UNCONFIRMED',
  'NOT_STOPPED',
]);
/** The controller ends these motions itself, so no `protective_stop` event is emitted. */
const PROTECTIVE: ReadonlySet<ErrorCode> = new Set(UNRECORDED_PROTECTIVE_CODES);
const MOVED: ReadonlySet<string> = new Set(['ACKNOWLEDGED', 'RUNNING']);

/** Saves a recording of every latched stop, every protective stop and every link loss that occurs during motion. */
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

/** Keeps the camera running while the cart is moving, if the camera has delivered an image before. */
export class MovingCamera {
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
