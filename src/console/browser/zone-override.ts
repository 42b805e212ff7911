import type { ZoneOverride } from '../../carts/pure.js';
import { sentence } from '../../i18n/format.js';
import { principalName } from '../../i18n/messages.js';
import { showAnswer } from './answer.js';
import { find, setHidden, setText } from './dom.js';
import type { StateStore } from './live/state-store.js';
import { send } from './post.js';
import { TEXTS } from './texts.js';

/** Returns how long the zones remain off; 0 if they are on. */
export function overrideLeftMs({ zoneOverride }: Pick<StateStore, 'zoneOverride'>): number {
  return zoneOverride ? Math.max(0, zoneOverride.leftMs - (performance.now() - zoneOverride.at)) : 0;
}

/** The gateway compares actors, so a user whose name is the same as an API key's is not mistaken there. */
export function isOwnOverride(override: ZoneOverride | null | undefined): boolean {
  return override?.by === document.body.dataset.principal;
}

/** Shows who has switched the zones off, and for how long. */
export function drawZoneOverride(state: StateStore): void {
  const band = find('[data-override]');
  const { zoneOverride } = state;
  const leftMs = overrideLeftMs(state);
  setHidden(band, leftMs === 0);
  if (!zoneOverride || leftMs === 0) return;
  const name = principalName(zoneOverride.by);
  setText(find('[data-override-text]', band), TEXTS.overrideBy(name, isOwnOverride(zoneOverride)));
  setText(find('[data-override-left]', band), TEXTS.overrideLeft(leftMs));
}

export function initZoneOverride(): void {
  find('[data-override-end]')?.addEventListener('click', () => void switchOn());
}

async function switchOn(): Promise<void> {
  const reply = await send('DELETE', '/site-plan/override', { timeoutMs: 10_000 });
  // The event about the end of the override removes the band.
  if (reply.ok) return;
  showAnswer(
    reply.status === 0 ? TEXTS.overrideUnsure : `${sentence(reply.message)} ${reply.hint}`.trim(),
    'warn',
  );
}
