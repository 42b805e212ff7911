import { armSettings } from '../../settings/browser/form.js';
import { find } from '../../web/browser/dom.js';
import { field, post, send } from '../../web/browser/post.js';
import { startFrame } from '../../web/browser/start.js';
import { armGallery } from './gallery.js';
import { CameraView, type Sight } from './view.js';

startFrame();
const form = find<HTMLFormElement>('[data-settings]');
if (form) armSettings(form);
armGallery();

const box = find('[data-camera]');
const view = box && new CameraView(box, showFault);
view?.start();
let sight: Sight = 'waiting';

find('[data-retry]')?.addEventListener('submit', (event) => {
  event.preventDefault();
  void post('/camera/retry', {}, { timeoutMs: 5000 }).then(() => view?.again());
});

/** The box says what is wrong; under it stands what the camera program said, while it is wrong. */
function showFault(now: Sight): void {
  if (now === sight) return;
  sight = now;
  const panel = find('[data-camera-fault]');
  if (panel) panel.hidden = now !== 'down';
  if (now === 'down') void showLines();
}

async function showLines(): Promise<void> {
  const { body } = await send('GET', '/camera/state.json', { timeoutMs: 5000 });
  const lines = field(field(body, 'fault'), 'lines');
  const box = find('[data-camera-lines]');
  if (!box) return;
  box.textContent = Array.isArray(lines) ? lines.join('\n') : '';
  box.hidden = box.textContent === '';
}
