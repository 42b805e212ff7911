import { ageText } from '../../../i18n/format.js';
import { isCurrent } from '../../browser/commands/progress.js';
import {
  all,
  cloneTemplate,
  fill,
  find,
  setAttribute,
  setHidden,
  setText,
  setTone,
  showText,
} from '../../browser/dom.js';
import { markAge } from '../../browser/live/age.js';
import type { StateStore } from '../../browser/live/state-store.js';
import { startLayout } from '../../browser/start.js';
import { LiveImage } from '../../camera/browser/view.js';
import { cartRow } from '../../labels/cart-rows.js';
import { freshness } from '../../labels/labels.js';
import { initCockpit } from './cockpit/cockpit.js';
import { drawLastCommand } from './cockpit/last-command.js';
import { drawCommand } from './command.js';
import { initCommandForm } from './command-form.js';
import { initManualDrive } from './manual-drive/panel.js';
import { Trail } from './map.js';

const TIMEOUT_MS = 10_000;

/** Updates the checklist when an event of this gateway's cart may have completed a step. */
function initChecklist(store: StateStore): void {
  if (!find('[data-checklist]')) return;
  let seen: string | undefined;
  store.onDraw(({ own: cart, ownID, commands }) => {
    if (!cart) return;
    const finished = commands.find(({ cartID, state }) => cartID === ownID && state === 'FINISHED');
    const now = [cart.link?.state, cart.safety.emergencyStop, finished?.commandId].join(' ');
    if (seen !== undefined && seen !== now) void update();
    seen = now;
  });
}

async function update(): Promise<void> {
  const page = await load();
  const latest = page && find('[data-checklist]', page);
  if (!latest) return;
  const link = find('[data-checklist-progress]');
  if (link) link.textContent = latest.dataset.progress ?? '';
  if (latest.dataset.complete !== undefined) link?.closest('.steps-link')?.remove();
  find('[data-checklist]')?.replaceWith(latest);
}

/** Resolves with undefined if the page cannot be loaded. */
async function load(): Promise<Document | undefined> {
  try {
    const init = { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const response = await fetch('/first-run', init);
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return undefined;
  }
}

const store = startLayout();
const trail = new Trail();
initCommandForm(store);
const manualDriver = initManualDrive(store);
initCockpit(store);
initChecklist(store);
const camera = find('[data-camera]');
if (camera) new LiveImage(camera).start();
store.onDraw(drawNow);
store.onDrawList(drawCarts);
store.onDrawList(drawCommands);
store.onDraw(drawLastCommand);
store.onDraw(() => trail.draw(store));

function drawNow({ selected, commandOf, ageMs, selectedID }: StateStore): void {
  const boxes = all('[data-now]');
  if (!selected) return drawUnknown(boxes);
  const age = ageMs.call(store, selectedID);
  const controlledBy = manualDriver(selectedID) ?? selected.controlledBy;
  const cart = { ...selected, ageMs: age, ...(controlledBy === undefined ? {} : { controlledBy }) };
  const row = cartRow(cart, commandOf.call(store, selected));
  for (const name of all('[data-live="now-name"]')) showText(name, selected.name);
  const { greyMs } = freshness(selected);
  for (const box of boxes) {
    fill(box, row);
    markAge(box, age, greyMs);
    for (const part of all('[data-field]', box)) setHidden(part, !row.hasField);
  }
  markAge(find('.area-map'), age, greyMs);
  drawFaults(find('[data-faults]'), row.faults);
}

function drawUnknown(boxes: readonly HTMLElement[]): void {
  const lostMs = store.lostForMs();
  for (const box of boxes) {
    markAge(box, lostMs, 0);
    const age = find('[data-f="age"]', box);
    if (lostMs > 0) setText(age, ageText(lostMs));
  }
}

function drawFaults(list: HTMLElement | undefined, faults: readonly string[]): void {
  if (!list || list.dataset.shown === faults.join()) return;
  list.dataset.shown = faults.join();
  list.replaceChildren(
    ...faults.map((fault) => Object.assign(document.createElement('li'), { textContent: fault })),
  );
}

function drawCarts(): void {
  const body = find('[data-carts]');
  if (!body) return;
  for (const row of all('[data-cart-row]', body)) {
    if (!store.carts.has(Number(row.dataset.cartRow)) && store.carts.size > 0) row.remove();
  }
  for (const cart of store.carts.values()) {
    const row = find(`[data-cart-row="${cart.cartID}"]`, body) ?? cloneTemplate('cart-template');
    if (!row) continue;
    setAttribute(row, 'data-cart-row', String(cart.cartID));
    if (!row.isConnected) body.append(row);
    const ageMs = store.ageMs(cart.cartID);
    fill(row, cartRow({ ...cart, ageMs }, store.commandOf(cart)));
    setTone(row, cartRow(cart).tone);
    markAge(row, ageMs, freshness(cart).greyMs);
    setHidden(find('[data-sim]', row), !cart.simulated);
  }
}

function drawCommands(state: StateStore): void {
  const { commands } = state;
  const list = find('[data-commands]');
  if (!list || commands.length === 0) return;
  setHidden(find('[data-no-commands]'), true);
  const known = new Map(all('[data-command-id]', list).map((row) => [row.dataset.commandId, row]));
  const rows = commands.flatMap((command) => {
    const row = known.get(command.commandId) ?? cloneTemplate('command-template');
    if (row) drawCommand(row, command, isCurrent(state, command));
    return row ? [row] : [];
  });
  // Rows that keep their place are not moved, because the browser would lay them out again.
  rows.forEach((row, at) => {
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
  });
  while (list.children.length > rows.length) list.lastElementChild?.remove();
}
