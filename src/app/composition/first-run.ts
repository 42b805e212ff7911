import type { GatewayBackups } from '../../backups/index.js';
import {
  type CompletedSteps,
  DRIVE_MM,
  FirstRun,
  type FoundEntry,
  type Outcome,
} from '../../system/index.js';
import type { AppContext } from '../context.js';
import type { OwnCart } from './create-cart.js';

/** Number of history entries that are searched for a move. */
const MAX_ENTRIES = 100;

/** A checklist that completes its steps in response to events until it is closed. */
export interface FirstRunChecklist {
  firstRun: FirstRun;
  close(): Promise<void>;
}

export async function openFirstRun(
  context: AppContext,
  { ownCart, gatewayBackups }: { ownCart: OwnCart; gatewayBackups: Pick<GatewayBackups, 'onMade'> },
): Promise<FirstRunChecklist> {
  const { config, clock, log, access } = context;
  const { cart, dispatcher, link } = ownCart;
  const facts = (): CompletedSteps => ({ user: access.users.list()[1]?.createdAt });
  const firstRun = await FirstRun.open({ dir: config.dataDir, clock, log, facts });
  if (firstRun.isNew) await completeFromRecords(firstRun, context, cart.cartId);
  if (firstRun.view().isComplete) return { firstRun, close: () => firstRun.settled() };
  let isLatched = false;
  const cancels = [
    link.onReady(() => void firstRun.complete('controller')),
    dispatcher.onOwnCommand(({ state, result }) => {
      if (state === 'FINISHED' && Math.abs(result?.distanceMm ?? 0) >= DRIVE_MM)
        void firstRun.complete('drive');
    }),
    gatewayBackups.onMade(() => void firstRun.complete('backup')),
    cart.onSafety(({ kind }) => {
      // A stop that was latched before the gateway started, for example by a restore, does not count as a test.
      if (kind === 'estop.latched') isLatched = true;
      if (kind === 'estop.reset' && isLatched) void firstRun.complete('estop');
    }),
  ];
  if (link.ready) void firstRun.complete('controller');
  return {
    firstRun,
    close() {
      for (const cancel of cancels) cancel();
      return firstRun.settled();
    },
  };
}

/** Completes the steps that are done according to the history and the commissioning record. */
async function completeFromRecords(
  firstRun: FirstRun,
  { history, commissioning, store }: Pick<AppContext, 'history' | 'commissioning' | 'store'>,
  cart: number,
): Promise<void> {
  const { forward, estop } = commissioning.results;
  const latest = async (outcome: Outcome): Promise<FoundEntry[]> =>
    (await history.search.page({ cart, outcome }, { limit: MAX_ENTRIES })).entries;
  const move = (await latest('finished')).find(({ distanceMm }) => distanceMm > 0);
  const [reset] = await latest('reset');
  const drivenAt = move?.at ?? (forward?.outcome === 'passed' ? forward.at : undefined);
  const resetAt = reset?.at ?? (estop?.outcome === 'passed' ? estop.at : undefined);
  if (drivenAt !== undefined) {
    await firstRun.complete('controller', drivenAt);
    await firstRun.complete('drive', drivenAt);
  }
  if (resetAt !== undefined) await firstRun.complete('estop', resetAt);
  // Earlier versions backed up only the database.
  const backup = store.status().lastBackup;
  if (backup) await firstRun.complete('backup', backup.at);
}
