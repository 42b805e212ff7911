import type { Camera } from '../../camera/index.js';
import { cartMessage, type ManualDrive, type Reason } from '../../carts/index.js';
import type { Settings } from '../../settings/index.js';
import { GatewayError } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
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
import type { Drives } from './approach.js';
import type { OwnCart } from './create-cart.js';
import type { Positioning } from './navigation.js';

/** Distance from a marker at which a route docks. */
const STANDOFF_MM = 500;

const SUPERSEDED: Reason = { code: 'SUPERSEDED', text: cartMessage('superseded') };
const STOPPED: Reason = { code: 'STOPPED', text: cartMessage('stopped') };

/** @param ownIds the IDs of the commands that were sent for runs */
export function runCart(
  { cart, dispatcher }: Pick<OwnCart, 'cart' | 'dispatcher'>,
  drive: Pick<ManualDrive, 'driver' | 'onHandover'>,
  ownIds: ReadonlySet<string>,
): RunCart {
  return {
    cartID: cart.cartId,
    refusal: () => cart.refusal(),
    onInterruption: (listener) =>
      all(
        cart.onStop(() => listener(cart.refusal() ?? STOPPED)),
        dispatcher.onOwnCommand(({ id }) => {
          if (!ownIds.has(id)) listener(SUPERSEDED);
        }),
      ),
    onTakeover: (listener) =>
      drive.onHandover(() => {
        const { driver } = drive;
        if (driver) listener(driver);
      }),
  };
}

function all(...cancels: readonly Cancel[]): Cancel {
  return () => {
    for (const cancel of cancels) cancel();
  };
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
  const runs = new Runs({
    cart: runCart(ownCart, drive, drives.ownIds),
    senderOf: drives.senderOf,
    maxSpeedMmps: () => settings.current.limits.maxSpeedMmps,
    location,
    sitePlan,
    check,
    act: async (action, sender, signal) => {
      if (action.kind === 'PHOTO') await camera.photoService.take();
      else if (action.kind === 'DOCK') await dock(drives, action.markerId, sender, signal);
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

/** The greatest uncertainty of a position that is still good; mm and degrees. */
function goodCovariance({ goodPositionMm, goodHeadingDeg }: Settings['navigation']['accuracy']) {
  // The limits are for 95 %: 2.448 standard deviations of a position, 1.96 of a heading.
  const [position, heading] = [(goodPositionMm / 2.448) ** 2, (goodHeadingDeg / 1.96) ** 2];
  return [
    [position, 0, 0],
    [0, position, 0],
    [0, 0, heading],
  ];
}
