import type { FleetList, FleetRow } from '../../../carts/pure.js';
import { t } from '../../../i18n/shared-text.js';
import { all, cloneTemplate, fill, find, showText } from '../../browser/dom.js';
import { poll } from '../../browser/live/age.js';
import { post } from '../../browser/post.js';
import { startLayout } from '../../browser/start.js';
import { fleetDuplicate } from '../../labels/fleet-labels.js';
import { type Choice, chosen, inOrder } from './filter-and-sort.js';
import { FleetLines } from './lines.js';

const EVERY_MS = 1000;
/** The rows keep their order for this long after the operator last used the table with a pointer. */
const HOLD_MS = 3000;
const FLEET_TEXTS = {
  seen: t('Up to date'),
  unseen: t('No response from the gateway: values are out of date'),
} as const;

startLayout();
const box = find('[data-fleet-box]');
const body = find('[data-fleet-lines]');
const filter = find<HTMLFormElement>('[data-fleet-filter]');
if (box && body && filter) follow(new FleetLines(box, body), filter);

function follow(lines: FleetLines, form: HTMLFormElement): void {
  let carts: readonly FleetRow[] = [];
  let receivedAt = 0;
  let heldUntil = 0;
  let order: readonly number[] = [];
  const hold = (): void => {
    heldUntil = performance.now() + HOLD_MS;
  };
  for (const type of ['pointermove', 'pointerdown', 'focusin', 'scroll']) {
    lines.box.addEventListener(type, hold, { passive: true });
  }
  const show = (): void => {
    const {
      find: text = '',
      state = '',
      sort = '',
    } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const sorted = chosen(carts, { find: text, state, sort } satisfies Choice);
    // The order also stays the same while a button has keyboard focus, because a key press can follow at any time.
    const isHeld = performance.now() < heldUntil || find(':focus-visible', lines.box) !== undefined;
    const rows = isHeld ? inOrder(sorted, order) : sorted;
    order = rows.map(({ cartID }) => cartID);
    lines.show(rows, receivedAt);
    find('[data-fleet-empty]')?.toggleAttribute('hidden', rows.length > 0 || receivedAt === 0);
  };
  const page = find('.fleet-page');
  poll({
    address: '/fleet',
    everyMs: EVERY_MS,
    show: (body) => {
      const list = body as FleetList;
      carts = list.carts;
      receivedAt = performance.now();
      lines.box.toggleAttribute(
        'data-site-plan',
        carts.some(({ sitePlan }) => sitePlan !== null),
      );
      count(list);
      showDuplicates(list);
      show();
    },
    drawStale: (isStale) => {
      page?.toggleAttribute('data-stale', isStale);
      showText(find('[data-fleet-seen]'), isStale ? FLEET_TEXTS.unseen : FLEET_TEXTS.seen);
      // Draws the rows again, because the displayed ages increase even without responses.
      lines.draw();
    },
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    heldUntil = 0;
    show();
  });
  // Also stops the cart that was in this row before: an unnecessary stop is harmless, a missed stop is not.
  lines.box.addEventListener('pointerdown', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('button')?.form?.matches('[data-stop]')) return;
    const line = target.closest<HTMLElement>('[data-fleet-line]');
    const former = line && lines.formerOf(line);
    if (former) void post(`/carts/${former}/stop`, {}, { timeoutMs: 2500, keepalive: true });
  });
}

/** Replaces the list only when it changes, so that a focused button keeps the focus. */
function showDuplicates({ duplicates }: FleetList): void {
  const box = find('[data-fleet-duplicates]');
  const shown = duplicates.map(fleetDuplicate);
  const key = JSON.stringify(shown);
  if (!box || (box.dataset.shown ?? '[]') === key) return;
  box.dataset.shown = key;
  box.hidden = shown.length === 0;
  box.replaceChildren(
    ...shown.flatMap((duplicate) => {
      const line = cloneTemplate('fleet-duplicate-template');
      if (!line) return [];
      fill(line, duplicate);
      find('form', line)?.setAttribute('action', `/carts/${duplicate.cartID}/duplicate/clear`);
      return [line];
    }),
  );
}

function count({ counts, carts }: FleetList): void {
  const total = find('[data-fleet-total]');
  if (total) total.textContent = String(carts.length);
  for (const element of all('[data-fleet-count]')) {
    element.textContent = String(counts[element.dataset.fleetCount as keyof FleetList['counts']]);
  }
}
