import { CameraView } from '../../../camera/browser/view.js';
import { all, find, showText } from '../../../web/browser/dom.js';
import { outdatedBecause } from '../../../web/browser/drive-lock.js';
import { startLayout } from '../../../web/browser/start.js';
import { TEXTS } from '../../../web/browser/texts.js';
import { ACTIONS, NotSeen, type Orders } from './steps.js';

const picture = startLayout();
const camera = find('[data-camera]');
if (camera) new CameraView(camera).start();

const step = find('[data-step]');
const button = find<HTMLButtonElement>('[data-do]');
const action = ACTIONS[step?.dataset.step ?? ''];
if (step && button && action) arm(step, button, action);

/** "Yes" can be said when the thing has been done; "no" and "skip" at any time. */
function arm(step: HTMLElement, button: HTMLButtonElement, action: (typeof ACTIONS)[string]): void {
  const words = find('[data-words]', step);
  const yes = all<HTMLButtonElement>('[data-after]', step);
  for (const answer of yes) answer.disabled = true;
  const tour = {
    cartID: Number(document.body.dataset.ownCartId),
    orders: JSON.parse(step.dataset.orders ?? '{}') as Orders,
    say: (text: string) => showText(words, text),
  };
  let isDoing = false;
  const draw = (): void => {
    const why = outdatedBecause(picture, tour.orders.meaning);
    showText(find('[data-live="lock"]', step), why === '' ? '' : TEXTS.cannotMove(why));
    button.disabled = isDoing || why !== '';
  };
  picture.onDraw(draw);
  button.addEventListener('click', () => {
    isDoing = true;
    draw();
    void action?.(tour)
      .then((seen) => {
        tour.say(seen);
        const note = find<HTMLInputElement>('[name="note"]', step);
        if (note) note.value = seen.slice(0, 300);
        for (const answer of yes) answer.disabled = false;
      })
      .catch((error: unknown) => {
        if (!(error instanceof NotSeen)) throw error;
        tour.say(error.message);
      })
      .finally(() => {
        isDoing = false;
        draw();
      });
  });
}
