import { find } from '../../browser/dom.js';
import { startLayout } from '../../browser/start.js';
import { initSettings } from './form.js';
import { warnBeforeLeaving } from './leaving.js';
import { initSearch } from './search.js';
import { initSections } from './sections.js';

const state = startLayout();
const form = find<HTMLFormElement>('[data-settings]');
if (form) {
  initSections(form);
  initSearch(form);
  initSettings(form, state);
}

find('[data-trial-ended-close]')?.addEventListener('click', () =>
  find('[data-trial-ended]')?.toggleAttribute('hidden', true),
);

// Asks for confirmation if the operator leaves a review without saving it or going back.
const review = find<HTMLFormElement>('form[data-unsaved]');
if (review) warnBeforeLeaving(review, () => true);

// Copies the selected file's content into the text field that the form submits.
const file = find<HTMLInputElement>('[data-import-file]');
const text = find<HTMLTextAreaElement>('[data-import-text]');
file?.addEventListener('change', async () => {
  if (text) text.value = (await file.files?.[0]?.text()) ?? '';
});
