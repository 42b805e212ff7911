import type { FleetList, FleetRow } from '../carts/rows-fleet.js';
import { all, find, say } from './dom.js';
import { type Choice, chosen } from './fleet-choice.js';
import { FleetLines } from './fleet-lines.js';
import { FLEET_TEXTS } from './fleet-texts.js';
import { send } from './post.js';
import { startFrame } from './start.js';

const EVERY_MS = 1000;

startFrame();
const box = find('[data-fleet-box]');
const body = find('[data-fleet-lines]');
const filter = find<HTMLFormElement>('[data-fleet-filter]');
if (box && body && filter) follow(new FleetLines(box, body), filter);

/** Asks once a second while somebody looks, one question at a time: an answer that is late is not overtaken. */
function follow(lines: FleetLines, form: HTMLFormElement): void {
  let carts: readonly FleetRow[] = [];
  let heardAt = 0;
  let isAsking = false;
  const show = (): void => {
    const {
      find: text = '',
      state = '',
      sort = '',
    } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const rows = chosen(carts, { find: text, state, sort } satisfies Choice);
    lines.show(rows, heardAt);
    find('[data-fleet-empty]')?.toggleAttribute('hidden', rows.length > 0 || heardAt === 0);
  };
  const ask = async (): Promise<void> => {
    if (isAsking || document.visibilityState !== 'visible') return;
    isAsking = true;
    const reply = await send('GET', '/fleet', { timeoutMs: 5000 });
    isAsking = false;
    say(find('[data-fleet-seen]'), reply.ok ? FLEET_TEXTS.seen : FLEET_TEXTS.unseen);
    // Ages go on growing, so that old lines look old.
    if (!reply.ok) return lines.draw();
    const list = reply.body as FleetList;
    carts = list.carts;
    heardAt = performance.now();
    count(list);
    show();
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', show);
  document.addEventListener('visibilitychange', () => void ask());
  setInterval(() => void ask(), EVERY_MS);
  void ask();
}

function count({ counts, carts }: FleetList): void {
  const total = find('[data-fleet-total]');
  if (total) total.textContent = String(carts.length);
  for (const element of all('[data-fleet-count]')) {
    element.textContent = String(counts[element.dataset.fleetCount as keyof FleetList['counts']]);
  }
}
