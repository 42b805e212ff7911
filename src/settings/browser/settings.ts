import { locale } from '../../i18n/language.js';
import { all, find } from '../../web/browser/dom.js';
import { startLayout } from '../../web/browser/start.js';
import { armSettings } from './form.js';

startLayout();
const form = find<HTMLFormElement>('[data-settings]');
if (form) armSettings(form);

// A chosen file is put where its text can be seen, and sent as that.
const file = find<HTMLInputElement>('[data-import-file]');
const text = find<HTMLTextAreaElement>('[data-import-text]');
file?.addEventListener('change', async () => {
  if (text) text.value = (await file.files?.[0]?.text()) ?? '';
});

for (const time of all<HTMLTimeElement>('[data-versions] time')) {
  time.textContent = new Date(time.dateTime).toLocaleString(locale(), {
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
}
