import { randomUUID } from 'node:crypto';
import type { Camera } from '../../camera/index.js';
import {
  type Authority,
  type Cart,
  type Command,
  checkAuthority,
  DEG_PER_UNIT,
  holderOf,
  type ManualDrive,
  MM_PER_UNIT,
  type Origin,
  type Reason,
  refusalError,
} from '../../carts/index.js';
import { Approach, type DetectorService, navigationMessage } from '../../navigation/index.js';
import type { Settings } from '../../settings/index.js';
import { actorName } from '../../shared/actor.js';
import { cancelAll } from '../../shared/cancel-all.js';
import { type ErrorCode, GatewayError } from '../../shared/errors.js';
import type {
  CartSender,
  MotionEnd,
  MotionRules,
  MovingCart,
} from '../../shared/ports/navigation/cart-motions.js';
import type { AppContext } from '../context.js';
import type { OwnCart } from './create-cart.js';
import type { Positioning } from './navigation.js';

/** Commands are accurate to 0.1 degrees, even if their unit is smaller. */
const ACCURACY_DEG = 0.1;

interface DriveModules {
  ownCart: OwnCart;
  drive: Pick<ManualDrive, 'onHandover'>;
  positioning: Pick<Positioning, 'markers'>;
  detector: DetectorService;
  camera: Pick<Camera, 'imageFault'>;
}

type DriveCart = Pick<DriveModules, 'ownCart' | 'drive'>;

export interface Drives {
  approach: Approach;
  /** Creates the sender of a drive's commands, which are attributed to the user who started the drive. */
  senderOf: (origin: Origin, authority: Authority) => CartSender;
  /** The IDs of all commands that these senders have sent and that have not ended. */
  ownIds: ReadonlySet<string>;
}

export function openDrives({ clock, log, settings }: AppContext, modules: DriveModules): Drives {
  const { camera, detector, positioning } = modules;
  const ownIds = new Set<string>();
  const approach = new Approach({
    cart: movingCart(modules, () => rulesOf(settings.current), ownIds),
    markers: positioning.markers,
    detector,
    clock,
    log,
    camera: () => settings.current.navigation.mount,
    imageFault: () => camera.imageFault(),
  });
  const senderOf = (origin: Origin, authority: Authority): CartSender =>
    cartSender(modules.ownCart, { origin, authority, settings: () => settings.current, ownIds });
  return { approach, senderOf, ownIds };
}

export function rulesOf({ units, limits, kinematics }: Settings): MotionRules {
  const isSteered = kinematics.type === 'ackermann';
  const fault = isSteered ? 'approach.no-turn' : units.mode === 'table' ? 'approach.preset-keys' : undefined;
  return {
    resolution: { mm: MM_PER_UNIT[units.distance], deg: Math.max(ACCURACY_DEG, DEG_PER_UNIT[units.angle]) },
    maxMm: limits.maxDistanceMm,
    maxDeg: limits.maxAngleDeg,
    footprint: kinematics.footprint,
    fault: fault ? navigationMessage(fault) : '',
  };
}

function movingCart(
  { ownCart: { cart, dispatcher, link }, drive }: DriveCart,
  rules: MovingCart['rules'],
  ownIds: ReadonlySet<string>,
): MovingCart {
  return {
    cartID: cart.cartId,
    rules,
    odometer: () => (link.ready ? cart.pose : undefined),
    refusal: () => cart.refusal()?.text ?? '',
    onInterruption(listener) {
      return cancelAll([
        cart.onStop(listener),
        drive.onHandover(listener),
        dispatcher.onOwnCommand(({ id }) => {
          if (!ownIds.has(id)) listener();
        }),
      ]);
    },
  };
}

interface SenderOptions {
  origin: Origin;
  authority: Authority;
  settings: () => Settings;
  /** The IDs of all commands that were sent for drives to markers. */
  ownIds: Set<string>;
}

export function cartSender({ cart, dispatcher }: OwnCart, options: SenderOptions): CartSender {
  const { origin, authority, settings, ownIds } = options;
  return {
    name: actorName(origin.actor),
    check() {
      checkAuthority(authority);
      dispatcher.lease.check(holderOf(origin));
      const refusal = cart.refusal();
      if (refusal) throw refusalError(refusal);
      if (cart.busy) throw new GatewayError('BUSY', navigationMessage('approach.moving'));
    },
    move({ distanceMm, angleDeg, maxSpeedMmps }, onEnd) {
      const { units, limits } = settings();
      const { fault } = rulesOf(settings());
      if (fault) throw new GatewayError('CONFLICT', fault);
      const commandId = randomUUID();
      ownIds.add(commandId);
      const request = {
        cartID: cart.cartId,
        commandId,
        onBusy: 'reject',
        maxSpeed: Math.min(maxSpeedMmps, limits.maxSpeedMmps),
        distanceID: Math.round(distanceMm / MM_PER_UNIT[units.distance]),
        angleID: Math.round(angleDeg / DEG_PER_UNIT[units.angle]),
      };
      try {
        const command = dispatcher.submit(request, origin, undefined, authority);
        return follow(command, cart, { onFinal: () => ownIds.delete(commandId), onEnd });
      } catch (error) {
        ownIds.delete(commandId);
        throw error;
      }
    },
  };
}

/** Returns a function that stops the command. */
function follow(
  command: Command,
  cart: Cart,
  { onFinal, onEnd }: { onFinal: () => void; onEnd: (end: MotionEnd) => void },
): () => void {
  const ownStop: Reason = { code: 'MARKER_NOT_SEEN', text: navigationMessage('approach.own-stop') };
  const end = (): void => {
    const { result, state } = command;
    const isOwnStop = command.reason?.code === ownStop.code;
    const outcome = state === 'FINISHED' ? 'finished' : isOwnStop ? 'stopped' : outcomeOf(command);
    const { distanceMm = 0, angleDeg = 0 } = result ?? {};
    const { code, text: reason = '' } = command.reason ?? {};
    onEnd({ outcome, distanceMm, angleDeg, reason, ...(code && { code }) });
  };
  const onTransition = (): void => {
    if (!command.final) return;
    onFinal();
    // After a stop, the distance travelled is not known until the cart is stationary.
    if (command.reason?.code === ownStop.code && !command.result) command.onMeasured(end);
    else end();
  };
  command.onTransition(onTransition);
  if (command.final) queueMicrotask(onTransition);
  return () => cart.executor.cancel(command, ownStop);
}

/**
 * Codes of commands that ended because of a stop or another command, or because the sender's session ended.
 */
const INTERRUPTED: ReadonlySet<ErrorCode> = new Set(['STOPPED', 'ESTOP_ACTIVE', 'SUPERSEDED', 'REVOKED']);

function outcomeOf({ reason }: Command): MotionEnd['outcome'] {
  if (reason && INTERRUPTED.has(reason.code)) return 'interrupted';
  return reason?.code === 'OBSTACLE' ? 'blocked' : 'failed';
}
