import { find } from '../../browser/dom.js';
import { field, post, send } from '../../browser/post.js';
import { startLayout } from '../../browser/start.js';
import { initSettings } from '../../settings/browser/form.js';
import { initGallery } from './gallery.js';
import { LiveImage, type ViewState } from './view.js';

const state = startLayout();
const form = find<HTMLFormElement>('[data-settings]');
if (form) initSettings(form, state);
initGallery();

const box = find('[data-camera]');
const view = box && new LiveImage(box, showFault);
view?.start();
let shownState: ViewState = 'waiting';

find('[data-retry]')?.addEventListener('submit', (event) => {
  event.preventDefault();
  void post('/camera/retry', {}, { timeoutMs: 5000 }).then(() => view?.retry());
});

function showFault(state: ViewState): void {
  if (state === shownState) return;
  shownState = state;
  const panel = find('[data-camera-fault]');
  if (panel) panel.hidden = state !== 'down';
  if (state === 'down') void showLines();
}

async function showLines(): Promise<void> {
  const { body } = await send('GET', '/camera/state.json', { timeoutMs: 5000 });
  const lines = field(field(body, 'fault'), 'lines');
  const box = find('[data-camera-lines]');
  if (!box) return;
  box.textContent = Array.isArray(lines) ? lines.join('\n') : '';
  box.hidden = box.textContent === '';
}
