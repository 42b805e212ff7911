import { find } from '../../web/browser/dom.js';
import type { StateStore } from '../../web/browser/live/state-store.js';

const TIMEOUT_MS = 10_000;

/** Updates the checklist when an event of this gateway's cart may have completed a step. */
export function initChecklist(store: StateStore): void {
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
