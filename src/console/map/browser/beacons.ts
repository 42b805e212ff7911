import type { Beacon } from '../../../beacons/pure.js';
import { type LatLong, PlanFrame, type PlanView } from '../../../plan/pure.js';
import { find, showText } from '../../browser/dom.js';
import type { StateStore } from '../../browser/live/state-store.js';
import { startLayout } from '../../browser/start.js';
import { type CartRules, stoppingArea } from './cart-outline.js';
import { type CartTrack, CartTracker, RECENT_MS } from './cart-positions.js';
import { CartLayer, labelOf, mapOptions } from './carts.js';
import { DriveTo } from './drive-to/drive-to.js';
import { withPlacedCart } from './drive-to/placed-track.js';
import { PlanPanel } from './floor-plan/panel.js';
import { initImport } from './import.js';
import { BeaconMap } from './map.js';
import { MarkerLayer } from './markers.js';
import { odometerTracks } from './odometer-tracks.js';
import { initPartialRefresh, refreshTable } from './partial-refresh.js';
import { fillPlace, initPlaceFields, originIn } from './place-fields.js';
import { drawReceived } from './received.js';
import { SitePlanPanel } from './site-plan/panel.js';
import { SITE_TEXTS } from './site-plan/texts.js';
import { BEACON_TEXTS } from './texts.js';

/** Shows carts at their positions on the plan, which are more accurate than those from beacons alone. */
function withLocatedCarts(
  tracks: readonly CartTrack[],
  state: StateStore,
  frame: PlanFrame,
): readonly CartTrack[] {
  const located = [...state.carts.values()].flatMap(({ cartID, name, location }): CartTrack[] => {
    if (!location || location.state === 'LOST') return [];
    const { semiMajorMm, semiMinorMm, angleDeg, probability } = location.ellipse;
    const ellipse = {
      semiMajorM: semiMajorMm / 1000,
      semiMinorM: semiMinorMm / 1000,
      probability,
      bearingDeg: frame.turned(angleDeg) % 180,
    };
    const own = tracks.find((track) => track.cartID === cartID);
    return [
      {
        cartID,
        name,
        reason: '',
        trail: own?.trail ?? [],
        received: own?.received ?? [],
        position: { ...frame.toGlobe(location), ellipse, beacons: 0 },
        bearingDeg: frame.turned(location.headingDeg),
        ageMs: state.ageMs(cartID) ?? Number.POSITIVE_INFINITY,
      },
    ];
  });
  const isLocated = new Set(located.map(({ cartID }) => cartID));
  return [...tracks.filter(({ cartID }) => !isLocated.has(cartID)), ...located];
}

/** Adds the footprint and the stopping distance of this gateway's cart; those of other carts are unknown. */
function withOutline(tracks: readonly CartTrack[], state: StateStore, rules: CartRules): CartTrack[] {
  return tracks.map((track) => {
    if (track.cartID !== state.ownID) return track;
    const { telemetry } = state.carts.get(track.cartID) ?? {};
    const { footprint } = rules;
    return { ...track, footprint, stoppingArea: stoppingArea(rules, telemetry?.speedMmps ?? 0) };
  });
}

/** A map with more markers would be unreadable, and slow on a tablet. */
const MAX_DRAWN = 10_000;
const PAGE_SIZE = 1000;

const state = startLayout();
const box = find('[data-beacon-map]');
if (box) start(box, new BeaconMap(box, tableOrigin()));

function tableOrigin(): LatLong {
  return originIn(find('[data-part="table"]'));
}

function start(box: HTMLElement, map: BeaconMap): void {
  const carts = new CartLayer(map);
  let plan: PlanView | null = null;
  const frame = (): PlanFrame => {
    const { bottomLeft, rotationDeg } = plan?.placement ?? {};
    return new PlanFrame(bottomLeft ?? tableOrigin(), rotationDeg);
  };
  const markers = new MarkerLayer(map.map, box, frame);
  const tracker = new CartTracker();
  const driveForm = find('[data-drive-to]');
  const driveTo = driveForm && new DriveTo(driveForm, map, state, frame);
  const siteBox = find('[data-site-plan]');
  const sitePlan = siteBox && new SitePlanPanel(siteBox, { map, state, onBegin: () => driveTo?.cancel() });
  let drawn = '';
  let connectedAt = Number.POSITIVE_INFINITY;
  state.onDraw(() => {
    // Each change of the settings, which include the footprint, is followed by a new snapshot.
    if (state.connectedAt > connectedAt) void refreshTable();
    connectedAt = state.connectedAt > 0 ? state.connectedAt : connectedAt;
    const cartRules = JSON.parse(box.dataset.cartRules ?? '') as CartRules;
    const received = tracker.update(state);
    drawReceived(received, tableOrigin());
    driveTo?.update();
    const unplaced = map.isUnlocated ? odometerTracks(state, tableOrigin(), received) : [];
    const located = withLocatedCarts([...received, ...unplaced], state, frame());
    const tracks = withOutline(withPlacedCart(located, state, driveTo?.placedPose), state, cartRules);
    const recent = tracks.filter(({ ageMs }) => ageMs < RECENT_MS);
    const fields = new Map(
      [...state.carts.values()].flatMap(({ cartID, field }) => (field ? [[cartID, field] as const] : [])),
    );
    const ids = recent.flatMap(({ received }) => received.map(({ id }) => id));
    // Ages change constantly, so the map is redrawn only after a message or when data becomes stale.
    const contents = JSON.stringify([
      mapOptions(),
      cartRules,
      tracks.map((track) => [
        track.cartID,
        track.trail.length,
        track.position,
        track.bearingDeg,
        track.ageMs > 1000,
        track.stoppingArea,
        labelOf(track),
        track.ageMs < RECENT_MS,
        fields.get(track.cartID),
      ]),
      ids,
    ]);
    if (contents === drawn) return;
    drawn = contents;
    carts.draw(tracks, fields, mapOptions());
    map.markReceived(new Set(ids));
  });

  const loadMap = async (): Promise<void> => {
    const beacons = await loadBeacons();
    const placed = beacons?.filter(({ lat }) => lat !== undefined).length ?? 0;
    map.setOrigin(tableOrigin());
    if (beacons) map.show(beacons);
    const text = beacons ? countText(beacons.length, placed, map.farCount) : BEACON_TEXTS.cannotLoad;
    showText(find('[data-map-count]'), text);
    drawn = '';
    state.draw();
  };
  const load = async (): Promise<void> => {
    await loadMap();
    await markers.load();
  };
  initPartialRefresh({ onChange: (savedId = '') => void load().then(() => map.reveal(savedId)) });
  initImport({
    onChange: () => {
      void load();
      void refreshTable();
    },
  });
  initMapButtons(map);
  initPlaceFields();
  void loadMap();
  const panel = new PlanPanel((shown, isChange) => {
    plan = shown;
    map.showPlan(plan);
    markers.draw();
    sitePlan?.showPlan(plan);
    if (isChange) driveTo?.forget();
    // The floor plan's bottom left corner is the origin of the positions in metres, so these positions have changed.
    if (isChange) {
      void refreshTable().then(() => {
        map.setOrigin(tableOrigin());
        markers.draw();
      });
    }
  });
  panel.start();
  // Beacons may have changed while the page was hidden; if they have not, the response is a 304.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void load();
  });
}

function countText(all: number, placed: number, far: number): string {
  if (all === 0) return BEACON_TEXTS.none;
  const text = all >= MAX_DRAWN ? BEACON_TEXTS.countLimited(MAX_DRAWN) : BEACON_TEXTS.count(all, placed);
  return far === 0 ? text : `${text}. ${BEACON_TEXTS.far(far)}`;
}

function initMapButtons(map: BeaconMap): void {
  for (const selector of ['[data-circles]', '[data-follow]']) {
    find(selector)?.addEventListener('change', () => state.draw());
  }
  find('[data-fit]')?.addEventListener('click', () => map.fit());
  document.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const link = target.closest<HTMLElement>('[data-go-to]');
    if (link) {
      // Following the link would remove the focus from the search field.
      event.preventDefault();
      find(link.dataset.goTo ?? '')?.focus();
    }
    const shown = target.closest<HTMLElement>('[data-show]');
    if (shown) map.focus(shown.dataset.show ?? '');
    const picker = target.closest<HTMLElement>('[data-pick]');
    if (picker) pickPosition(map, picker);
  });
}

/** The form receives the next position that the operator selects on the map. */
function pickPosition(map: BeaconMap, button: HTMLElement): void {
  if (map.isCaptured) return showText(find('[data-map-words]'), SITE_TEXTS.busy);
  button.setAttribute('aria-pressed', 'true');
  find('[data-beacon-map]')?.scrollIntoView({ block: 'center' });
  map.pick(({ lat, lng }) => {
    fillPlace({ lat, long: lng });
    button.setAttribute('aria-pressed', 'false');
    find('#beacon-east')?.focus();
  });
}

async function loadBeacons(): Promise<Beacon[] | undefined> {
  const beacons: Beacon[] = [];
  try {
    while (beacons.length < MAX_DRAWN) {
      const after = encodeURIComponent(beacons.at(-1)?.id ?? '');
      const answer = await fetch(`/beacons?limit=${PAGE_SIZE}&after=${after}`, { cache: 'no-cache' });
      if (!answer.ok) return undefined;
      const page = (await answer.json()) as Beacon[];
      beacons.push(...page);
      if (page.length < PAGE_SIZE) break;
    }
    return beacons;
  } catch {
    return undefined;
  }
}
