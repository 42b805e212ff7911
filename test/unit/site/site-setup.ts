import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FloorPlan } from '../../../src/plan/floor-plan/floor-plan.js';
import { defaultSettings, type Settings } from '../../../src/settings/schema/schema.js';
import { userActor } from '../../../src/shared/actor.js';
import { systemClock } from '../../../src/shared/clock.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { LastSaved } from '../../../src/site/plan-data/last-saved.js';
import type { Place } from '../../../src/site/plan-data/schema.js';
import { type PlanOwnership, SitePlan } from '../../../src/site/plan-data/site-plan.js';
import { unsuitability } from '../../../src/site/zones/suitability.js';
import type { Zone } from '../../../src/site/zones/zone.js';
import { openStore } from '../../../src/store/store.js';
import { History } from '../../../src/system/history/history.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { png } from '../plan/images.js';

const WRITER = new URL('../../../src/app/writer-worker.js', import.meta.url);
const CART_ID = 1;

export const ANNA = userActor('anna');

export const DOOR: Zone = {
  id: 'door',
  kind: 'BLOCKED',
  name: 'Door',
  polygon: [
    [0, 0],
    [2000, 0],
    [2000, 1000],
    [0, 1000],
  ],
};

export const SLOW: Zone = { ...DOOR, id: 'slow', kind: 'SPEED_LIMIT', name: 'Slow', maxSpeedMmps: 300 };

export const CHARGER: Place = {
  id: 'charger-1',
  name: 'Charger 1',
  purpose: 'CHARGE',
  xMm: 3500,
  yMm: 500,
  headingDeg: 90,
  markerId: 12,
  cartID: 1,
};

/** A line of 10 m along the bottom of an image of 400 x 300 px, which is therefore 10 m wide and 7.5 m high. */
export const LINE = { x1: 0, y1: 300, x2: 400, y2: 300, lengthM: 10 };
const ORIGIN = { lat: 52.37, long: 4.89 };

export const FOOTPRINT = [
  { xMm: 400, yMm: 200 },
  { xMm: -200, yMm: 200 },
  { xMm: -200, yMm: -200 },
  { xMm: 400, yMm: -200 },
];

/** Settings of a cart for which zones can be enforced. */
function suitableSettings(): Settings {
  const settings = defaultSettings();
  return { ...settings, kinematics: { ...settings.kinematics, footprint: FOOTPRINT } };
}

export interface SiteSetup {
  store: Store;
  history: History;
  floorPlan: FloorPlan;
  log: RecordingLog;
  sitePlan: SitePlan;
  settings: Settings;
  /** Default: the gateway does not share its plan. */
  ownership?: PlanOwnership;
  /** Uploads a floor plan with a shade of grey and sets its scale. */
  drawFloor(shade?: number, lengthM?: number): Promise<void>;
  /**
   * Closes everything and opens it again, as at a restart.
   * @param how what happens to the data directory in between, and whether the gateway knows of a loss of data
   */
  restart(how?: { between?: (dir: string) => void; isIncomplete?: boolean }): Promise<void>;
}

/** Runs a test with a real store, history and floor plan of 10 x 7.5 m. */
export function withSite(run: (site: SiteSetup) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-site-'));
    const log = new RecordingLog();
    const open = async (isIncomplete = false) => {
      const store = await openStore({ dir, writer: WRITER, clock: systemClock, log });
      const history = new History({ store, clock: systemClock, log });
      const floorPlan = await FloorPlan.open({ dir: join(dir, 'plan'), log });
      const sitePlan = new SitePlan({
        lastSaved: await LastSaved.open({ dir, isIncomplete }),
        store,
        log,
        floorPlan,
        unsuitability: () => unsuitability(site.settings),
        ownership: {
          requireOwner: () => site.ownership?.requireOwner(),
          get isMember() {
            return site.ownership?.isMember ?? false;
          },
          get publishedVersion() {
            return site.ownership?.publishedVersion ?? 0;
          },
        },
        record: ({ by, version, ...change }) =>
          history.recordConfirmation({
            kind: 'site.changed',
            cartID: CART_ID,
            by,
            change: { ...change, version: String(version) },
          }),
      });
      return { store, history, floorPlan, sitePlan };
    };
    const close = async () => {
      site.sitePlan.close();
      await site.history.close();
      await site.store.close();
    };
    const site: SiteSetup = {
      ...(await open()),
      log,
      settings: suitableSettings(),
      async drawFloor(shade = 240, lengthM = LINE.lengthM) {
        await site.floorPlan.replace(png(400, 300, () => shade));
        await site.floorPlan.setLine({ ...LINE, lengthM }, ORIGIN);
      },
      async restart({ between = () => undefined, isIncomplete = false } = {}) {
        await close();
        between(dir);
        Object.assign(site, await open(isIncomplete));
      },
    };
    try {
      await site.drawFloor();
      await run(site);
    } finally {
      await close();
      rmSync(dir, { recursive: true });
    }
  };
}

const DATABASE = ['cartwright.db', 'cartwright.db-wal', 'cartwright.db-shm', 'commit-number'];

/** Deletes the database from a data directory while the site is closed. */
export function loseDatabase(dir: string): void {
  for (const name of DATABASE) rmSync(join(dir, name), { force: true });
}
