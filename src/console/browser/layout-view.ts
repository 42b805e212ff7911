import { cartLabel } from '../../carts/pure.js';
import { ageText, mostSevere, type Severity, type StatusText, timeOfDay } from '../../i18n/format.js';
import { begun } from '../../i18n/messages.js';
import { cameraName, controllerName, simulatedParts } from '../labels/fleet-labels.js';
import { brokerText, cameraText, linkText } from '../labels/labels.js';
import { pendingSentence } from '../labels/stop-labels.js';
import { clearUnreachable, showStopFailure, updateStopFailure } from './answer.js';
import { drawBands } from './bands.js';
import { all, fill, find, setTone, showText } from './dom.js';
import { markAge } from './live/age.js';
import type { StateStore } from './live/state-store.js';
import { TEXTS } from './texts.js';

const RESTART_SHOWN_MS = 30_000;

/** Updates the connection messages, status lights and safety status. */
export function drawLayout(state: StateStore): void {
  const lostMs = state.lostForMs();
  const { loggedOut } = state;
  showText(find('[data-live="lost"]'), lostMs > 0 && !loggedOut ? TEXTS.lost(lostMs) : '');
  if (lostMs === 0) clearUnreachable();
  drawLoggedOut(state);
  const restarted = state.restartedAt ?? 0;
  const recent = Date.now() - restarted < RESTART_SHOWN_MS;
  showText(find('[data-live="restarted"]'), recent ? TEXTS.restarted(timeOfDay(restarted)) : '');
  const pending = pendingSentence(state.carts.values());
  showText(find('[data-live="stop-pending"]'), pending);
  // The message about a pending stop replaces the result of the previous stop.
  if (pending) showStopFailure('');
  else updateStopFailure(state);
  drawLights(state);
  drawLightsAge(lostMs);
  drawBands(state);
}

/** Shows how much longer the stop token permits stops after the session has ended. */
function drawLoggedOut(state: StateStore): void {
  const { loggedOut } = state;
  const leftMs = state.stopsForMs();
  document.body.toggleAttribute('data-stops-off', loggedOut && leftMs === 0);
  find('[data-live="logged-out"]')?.toggleAttribute('hidden', !loggedOut || leftMs > 0);
  find('[data-live="session-expired"]')?.toggleAttribute('hidden', !loggedOut || leftMs === 0);
  showText(find('[data-live="stops-for"]'), leftMs > 0 ? TEXTS.stopsFor(leftMs) : '');
}

function drawLights(state: StateStore): void {
  const { links, own } = state;
  const ownLabel = own && state.selectedID !== own.cartID ? cartLabel(own) : '';
  if (own) {
    const { link } = own;
    light('controller', {
      name: controllerName(ownLabel),
      ...linkText(link),
      reason: begun(link?.reason ?? ''),
    });
  }
  if (links) {
    const { broker, camera } = links;
    light('camera', { name: cameraName(ownLabel), ...cameraText(camera) });
    const simulated = simulatedParts(own?.link?.simulated ?? false, camera.simulated);
    showText(find('[data-simulated]'), simulated);
    find('.ribbon')?.toggleAttribute('hidden', simulated === '');
    light('broker', {
      ...brokerText(broker),
      reason: broker.connected ? broker.url : begun(broker.reason),
    });
  }
  const tones = all('[data-light]').map(({ dataset }) => ({ tone: dataset.tone as Severity }));
  setTone(find('[data-connections]'), mostSevere(tones));
}

function drawLightsAge(lostMs: number): void {
  // On narrow screens, one button (`data-connections`) is shown instead of the lights.
  for (const element of all('.lights, [data-connections]')) markAge(element, lostMs, 0);
  showText(find('[data-live="lights-age"]'), lostMs > 0 ? TEXTS.lastKnown(ageText(lostMs)) : '');
}

function light(key: string, row: StatusText & Record<string, unknown>): void {
  const element = find(`[data-light="${key}"]`);
  if (!element) return;
  fill(element, row);
  if (row.name !== undefined) showText(find('.light-name', element), String(row.name));
  setTone(element, row.tone);
}
