import { outdatedReason } from '../../browser/commands/drive-lock.js';
import { all, find, showText } from '../../browser/dom.js';
import { startLayout } from '../../browser/start.js';
import { TEXTS } from '../../browser/texts.js';
import { LiveImage } from '../../camera/browser/view.js';
import { initFootprint } from './footprint.js';
import { ACTIONS, StepFailed, type TestOrders } from './steps.js';

const store = startLayout();
const camera = find('[data-camera]');
if (camera) new LiveImage(camera).start();

const form = find<HTMLFormElement>('[data-answer]');
if (form) initFootprint(form);
const step = find('[data-step]');
const button = find<HTMLButtonElement>('[data-do]');
const action = ACTIONS[step?.dataset.step ?? ''];
if (step && button && action) initStep(step, button, action);

/** "Yes" is enabled only after the action has succeeded; "No" and "Skip" are always enabled. */
function initStep(step: HTMLElement, button: HTMLButtonElement, action: (typeof ACTIONS)[string]): void {
  const status = find('[data-words]', step);
  const yes = all<HTMLButtonElement>('[data-after]', step);
  for (const answer of yes) answer.disabled = true;
  const context = {
    cartID: Number(document.body.dataset.ownCartId),
    orders: JSON.parse(step.dataset.orders ?? '{}') as TestOrders,
    show: (text: string) => showText(status, text),
  };
  let isDoing = false;
  const draw = (): void => {
    const why = outdatedReason(store, context.orders.meaning);
    showText(find('[data-live="lock"]', step), why === '' ? '' : TEXTS.cannotMove(why));
    button.disabled = isDoing || why !== '';
  };
  store.onDraw(draw);
  button.addEventListener('click', () => {
    isDoing = true;
    draw();
    void action?.(context)
      .then((seen) => {
        context.show(seen);
        const note = find<HTMLInputElement>('[name="note"]', step);
        if (note) note.value = seen.slice(0, 300);
        for (const answer of yes) answer.disabled = false;
      })
      .catch((error: unknown) => {
        if (!(error instanceof StepFailed)) throw error;
        context.show(error.message);
      })
      .finally(() => {
        isDoing = false;
        draw();
      });
  });
}
