import { upperFirst } from '../../i18n/format.js';
import { locale } from '../../i18n/language.js';
import { all, copyOf, find, say } from '../../web/browser/dom.js';
import { armHold } from '../../web/browser/hold.js';
import { field, post, type Reply, send } from '../../web/browser/post.js';
import { TEXTS } from '../../web/browser/texts.js';

/** Photos are taken and deleted without leaving the page, and their times are told in the zone of whoever looks. */
export function armGallery(): void {
  for (const photo of all('[data-photo], .shown-photo')) tellTime(photo);
  find<HTMLFormElement>('[data-take]')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void take();
  });
  armHold({
    buttons: '[data-delete] button',
    question: TEXTS.confirmDelete,
    done: (button) => void remove(button),
    early: () => answer(TEXTS.holdDelete),
  });
}

async function take(): Promise<void> {
  const button = find<HTMLButtonElement>('[data-take] button');
  if (!button || button.disabled) return;
  button.disabled = true;
  answer(TEXTS.takingPhoto);
  const reply = await post('/camera/photo', {}, { timeoutMs: 15_000 });
  button.disabled = false;
  answer(reply.ok ? TEXTS.photoTaken : whyNot(reply));
  if (reply.ok) show(String(field(reply.body, 'name')), String(field(reply.body, 'takenAt')));
}

/** Puts a photo first in the gallery, unless it stands there already. */
function show(name: string, takenAt: string): void {
  const list = find('[data-photos]');
  const photo = copyOf('photo-template');
  if (!list || !photo || find(`[data-photo="${name}"]`, list)) return;
  photo.dataset.photo = name;
  const address = `/camera/photos/${name}`;
  for (const link of all<HTMLAnchorElement>('a', photo)) {
    link.href =
      link.dataset.download === undefined ? `/cameraSettings?photo=${name}#photo` : `${address}?download=1`;
  }
  const image = find<HTMLImageElement>('img', photo);
  if (image) image.src = `${address}/thumbnail`;
  const form = find<HTMLFormElement>('[data-delete]', photo);
  if (form) form.action = `${address}/delete`;
  const time = find<HTMLTimeElement>('time', photo);
  if (time) time.dateTime = takenAt;
  tellTime(photo);
  list.prepend(photo);
  noteEmpty();
}

async function remove(button: HTMLElement): Promise<void> {
  const photo = button.closest<HTMLElement>('[data-photo]');
  if (!photo) return;
  const reply = await send('DELETE', `/camera/photos/${photo.dataset.photo ?? ''}`, { timeoutMs: 5000 });
  // Gone already is gone as well.
  if (!reply.ok && reply.status !== 404) return answer(whyNot(reply));
  photo.remove();
  noteEmpty();
  answer(TEXTS.photoDeleted);
}

function noteEmpty(): void {
  const empty = find('[data-no-photos]');
  if (empty) empty.hidden = all('[data-photos] [data-photo]').length > 0;
  // It counts what was there when the page was made.
  say(find('[data-photo-total]'), '');
}

function tellTime(photo: HTMLElement): void {
  const time = find<HTMLTimeElement>('time', photo);
  if (!time) return;
  const when = new Date(time.dateTime).toLocaleString(locale(), {
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
  time.textContent = when;
  const image = find<HTMLImageElement>('img', photo);
  if (image) image.alt = TEXTS.photoOf(when);
}

function whyNot({ status, message, hint }: Reply): string {
  return status === 0 ? TEXTS.photoUnsure : [upperFirst(message), hint].filter(Boolean).join('. ');
}

function answer(text: string): void {
  say(find('[data-take-answer]'), text);
}
