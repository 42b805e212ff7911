import { find, say } from '../../web/browser/dom.js';
import { startFrame } from '../../web/browser/start.js';
import type { Beacon } from '../registry/schema.js';
import { FORGET_MS, Sights } from './cart-positions.js';
import { CartLayer, choices } from './carts.js';
import { PlanPanel } from './floor-plan.js';
import { drawHeard } from './heard.js';
import { armImport } from './import.js';
import { BeaconMap } from './map.js';
import { armParts, refreshTable } from './parts.js';
import { BEACON_TEXTS } from './texts.js';

/** More dots show nothing, and a tablet has to move them all. */
const MAX_DRAWN = 10_000;
const PAGE = 1000;

const picture = startFrame();
const box = find('[data-beacon-map]');
if (box) start(new BeaconMap(box));

function start(map: BeaconMap): void {
  const carts = new CartLayer(map);
  const sights = new Sights();
  let drawn = '';
  picture.onDraw(() => {
    const seen = sights.of(picture);
    drawHeard(seen);
    const recent = seen.filter(({ ageMs }) => ageMs < FORGET_MS);
    const ids = recent.flatMap(({ heard }) => heard.map(({ id }) => id));
    // Ages grow all the time; the map changes when something was heard, or went silent.
    const state = JSON.stringify([
      choices(),
      seen.map((sight) => [
        sight.cartID,
        sight.trail.length,
        sight.position,
        sight.bearingDeg,
        sight.ageMs > 1000,
        sight.ageMs < FORGET_MS,
      ]),
      ids,
    ]);
    if (state === drawn) return;
    drawn = state;
    carts.draw(seen, choices());
    map.markHeard(new Set(ids));
  });

  const load = async (): Promise<void> => {
    const beacons = await loadBeacons();
    const placed = beacons?.filter(({ lat }) => lat !== undefined).length ?? 0;
    say(find('[data-map-count]'), beacons ? countWords(beacons.length, placed) : BEACON_TEXTS.cannotLoad);
    if (beacons) map.show(beacons);
    drawn = '';
    picture.draw();
  };
  armParts({ onChange: () => void load() });
  armImport({
    onChange: () => {
      void load();
      void refreshTable();
    },
  });
  armMapButtons(map);
  void load();
  void new PlanPanel((plan) => map.showPlan(plan)).start();
  // Somebody else may have changed beacons meanwhile; what has not changed is not sent again.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void load();
  });
}

function countWords(all: number, placed: number): string {
  if (all === 0) return BEACON_TEXTS.none;
  return all >= MAX_DRAWN ? BEACON_TEXTS.countMost(MAX_DRAWN) : BEACON_TEXTS.count(all, placed);
}

function armMapButtons(map: BeaconMap): void {
  for (const selector of ['[data-circles]', '[data-follow]']) {
    find(selector)?.addEventListener('change', () => picture.draw());
  }
  find('[data-fit]')?.addEventListener('click', () => map.fit());
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const shown = target.closest<HTMLElement>('[data-show]');
    if (shown) map.focus(shown.dataset.show ?? '');
    const picker = target.closest<HTMLElement>('[data-pick]');
    if (picker) pickPlace(map, picker);
  });
}

/** Latitude and longitude of the form are where the map is touched next. Seven decimals are a centimetre. */
function pickPlace(map: BeaconMap, button: HTMLElement): void {
  button.setAttribute('aria-pressed', 'true');
  find('[data-beacon-map]')?.scrollIntoView({ block: 'center' });
  map.pick(({ lat, lng }) => {
    const [latField, longField] = [
      find<HTMLInputElement>('#beacon-lat'),
      find<HTMLInputElement>('#beacon-long'),
    ];
    if (latField) latField.value = lat.toFixed(7);
    if (longField) longField.value = lng.toFixed(7);
    button.setAttribute('aria-pressed', 'false');
    latField?.focus();
  });
}

/** The beacons to draw, read page by page; undefined when the gateway does not answer. */
async function loadBeacons(): Promise<Beacon[] | undefined> {
  const beacons: Beacon[] = [];
  try {
    while (beacons.length < MAX_DRAWN) {
      const after = encodeURIComponent(beacons.at(-1)?.id ?? '');
      const answer = await fetch(`/beacons?limit=${PAGE}&after=${after}`, { cache: 'no-cache' });
      if (!answer.ok) return undefined;
      const page = (await answer.json()) as Beacon[];
      beacons.push(...page);
      if (page.length < PAGE) break;
    }
    return beacons;
  } catch {
    return undefined;
  }
}
