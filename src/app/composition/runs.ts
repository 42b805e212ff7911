import type { Camera } from '../../camera/index.js';
import { cartMessage, type ManualDrive, type Reason } from '../../carts/index.js';
import { goodCovariance, motionFault, navigationMessage } from '../../navigation/index.js';
import type { Settings } from '../../settings/index.js';
import { cancelAll } from '../../shared/cancel-all.js';
import { GatewayError } from '../../shared/errors.js';
import type { CartSender } from '../../shared/ports/navigation/cart-motions.js';
import {
  checkRoute,
  type Route,
  type RouteCheck,
  type RunCart,
  RunJournal,
  Runs,
  type SitePlan,
  Teaching,
  type ZoneGate,
} from '../../site/index.js';
import type { AppContext } from '../context.js';
import { cartSender, type Drives, rulesOf } from './approach.js';
import type { OwnCart } from './create-cart.js';
import type { Positioning } from './navigation.js';

/** Distance from a marker at which a route docks. */
const STANDOFF_MM = 500;

const SUPERSEDED: Reason = { code: 'SUPERSEDED', text: cartMessage('superseded') };
const STOPPED: Reason = { code: 'STOPPED', text: cartMessage('stopped') };

interface RunCartRules {
  /** The IDs of the commands that were sent for runs. */
  ownIds: ReadonlySet<string>;
  /** True for a command of the docking that a run has started. */
  isDocking: (commandId: string) => boolean;
  startRefusal: () => Reason | undefined;
}

export function runCart(
  { cart, dispatcher }: Pick<OwnCart, 'cart' | 'dispatcher'>,
  drive: Pick<ManualDrive, 'driver' | 'onHandover'>,
  { ownIds, isDocking, startRefusal }: RunCartRules,
): RunCart {
  return {
    cartID: cart.cartId,
    refusal: () => cart.refusal(),
    startRefusal,
    onInterruption: (listener) =>
      cancelAll([
        cart.onStop(() => listener(cart.refusal() ?? STOPPED)),
        dispatcher.onOwnCommand(({ id }) => {
          if (!ownIds.has(id) && !isDocking(id)) listener(SUPERSEDED);
        }),
      ]),
    onTakeover: (listener) =>
      drive.onHandover(() => {
        const { driver } = drive;
        if (driver) listener(driver);
      }),
  };
}

/** Why runs cannot be driven with these units, or now. */
function startRefusalOf(settings: Settings, { cart }: OwnCart, { approach }: Drives): Reason | undefined {
  const fault = motionFault(rulesOf(settings));
  if (fault) return { code: 'CONFLICT', text: fault };
  const isBusy = cart.busy || approach.isRunning;
  return isBusy ? { code: 'BUSY', text: navigationMessage('approach.moving') } : undefined;
}

interface RunModules {
  ownCart: OwnCart;
  drive: ManualDrive;
  drives: Drives;
  positioning: Pick<Positioning, 'localization'>;
  sitePlan: SitePlan;
  zoneGate: ZoneGate;
  camera: Pick<Camera, 'photoService'>;
}

export interface SiteRuns {
  runs: Runs;
  teaching: Teaching;
  check: (route: Route) => RouteCheck;
}

export function openRuns(
  context: AppContext,
  modules: RunModules,
): SiteRuns & { close: () => Promise<void> } {
  const { clock, log, settings, store } = context;
  const { camera, drive, drives, ownCart, positioning, sitePlan, zoneGate } = modules;
  const location = () => positioning.localization.location();
  const check = (route: Route): RouteCheck => {
    const { limits, navigation } = settings.current;
    return checkRoute(route, {
      site: zoneGate.siteFor(limits),
      covariance: goodCovariance(navigation.accuracy),
      limits,
    });
  };
  const ownIds = new Set<string>();
  let docking = 0;
  const runs = new Runs({
    cart: runCart(ownCart, drive, {
      ownIds,
      isDocking: (id) => docking > 0 && drives.ownIds.has(id),
      startRefusal: () => startRefusalOf(settings.current, ownCart, drives),
    }),
    senderOf: (holder) => cartSender(ownCart, { ...holder, settings: () => settings.current, ownIds }),
    maxSpeedMmps: () => settings.current.limits.maxSpeedMmps,
    location,
    sitePlan,
    check,
    act: async (action, { origin, authority }, signal) => {
      if (action.kind === 'PHOTO') return void (await camera.photoService.take());
      if (action.kind !== 'DOCK') return;
      docking += 1;
      try {
        await dock(drives, action.markerId, drives.senderOf(origin, authority), signal);
      } finally {
        docking -= 1;
      }
    },
    warn: () => undefined,
    journal: new RunJournal(store),
    clock,
    log,
  });
  const stopServing = drive.serve(runs);
  const speedMmps = () => ownCart.cart.view().telemetry?.speedMmps;
  const teaching = new Teaching({ location, speedMmps, clock, log });
  return {
    runs,
    teaching,
    check,
    close: async () => {
      teaching.close();
      stopServing();
      await runs.close();
    },
  };
}

/** Drives to a marker, with the commands of the person who holds the control. */
async function dock(
  { approach }: Drives,
  markerId: number,
  sender: CartSender,
  signal: AbortSignal,
): Promise<void> {
  approach.start({ markerId, standoffMm: STANDOFF_MM }, sender);
  const stop = () => approach.close();
  signal.addEventListener('abort', stop);
  const ended = await approach.whenEnded();
  signal.removeEventListener('abort', stop);
  if (ended?.phase === 'FAILED' && !signal.aborted) {
    throw new GatewayError('FAILED', ended.reason ?? '');
  }
}
