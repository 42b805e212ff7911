import { momentText, upperFirst } from '../../../i18n/format.js';
import { withTexts } from '../../../i18n/shared-text.js';
import { LIVE_CAMERA_TEXTS } from '../../../locales/nl/camera.js';
import { all, cloneTemplate, find, showText } from '../../browser/dom.js';
import { initHoldButtons } from '../../browser/hold.js';
import { poll } from '../../browser/live/age.js';
import { field, post, type Reply, send, textField } from '../../browser/post.js';

const t = withTexts(LIVE_CAMERA_TEXTS);

const PHOTO_TEXTS = {
  taking: t('Taking a photo'),
  taken: t('Photo taken.'),
  unsure: t('No response from the gateway. Reload the page to check whether the photo was taken.'),
  deleted: t('Photo deleted.'),
  takenOn: (when: string) => t('Photo taken on {0}', when),
  holdDelete: t('Press and hold Delete until the ring is full.'),
  confirmDelete: t('Delete this photo? This cannot be undone.'),
} as const;

const REFRESH_MS = 10_000;
/** Photos that this page has deleted; a response that was sent before the deletion still lists them. */
const deleted = new Set<string>();

/** Takes and deletes photos without reloading the page, and shows photos that were taken elsewhere. */
export function initGallery(): void {
  find<HTMLFormElement>('[data-take]')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void take();
  });
  poll({
    address: '/camera/photos',
    everyMs: REFRESH_MS,
    atOnce: false,
    show: (body) => addNew(field(body, 'photos')),
    drawStale: () => undefined,
  });
  initHoldButtons({
    buttons: '[data-delete] button',
    question: PHOTO_TEXTS.confirmDelete,
    done: (button) => void remove(button),
    early: () => showResult(PHOTO_TEXTS.holdDelete),
  });
}

async function take(): Promise<void> {
  const button = find<HTMLButtonElement>('[data-take] button');
  if (!button || button.disabled) return;
  button.disabled = true;
  showResult(PHOTO_TEXTS.taking);
  const reply = await post('/camera/photo', {}, { timeoutMs: 15_000 });
  button.disabled = false;
  showResult(reply.ok ? PHOTO_TEXTS.taken : errorText(reply));
  if (!reply.ok) return;
  const photo = addPhoto(String(field(reply.body, 'name')), String(field(reply.body, 'takenAt')));
  photo?.scrollIntoView({ block: 'nearest' });
}

/** @param photos newest first. The page does not list all old photos, so this function adds only newer photos. */
function addNew(photos: unknown): void {
  if (!Array.isArray(photos)) return;
  const newest = find('[data-photos] [data-photo]')?.dataset.photo ?? '';
  const added = photos
    .map((photo) => ({ name: textField(photo, 'name'), takenAt: textField(photo, 'takenAt') }))
    .filter(({ name }) => name > newest && !deleted.has(name));
  for (const { name, takenAt } of added.reverse()) addPhoto(name, takenAt);
}

/** Returns the photo's element; undefined if the page shows the photo already. */
function addPhoto(name: string, takenAt: string): HTMLElement | undefined {
  const list = find('[data-photos]');
  const photo = cloneTemplate('photo-template');
  if (!list || !photo || find(`[data-photo="${name}"]`, list)) return undefined;
  photo.dataset.photo = name;
  const address = `/camera/photos/${name}`;
  for (const link of all<HTMLAnchorElement>('a', photo)) {
    link.href =
      link.dataset.download === undefined ? `/cameraSettings?photo=${name}#photo` : `${address}?download=1`;
  }
  const image = find<HTMLImageElement>('img', photo);
  const when = momentText(takenAt);
  if (image) {
    image.src = `${address}/thumbnail`;
    image.alt = PHOTO_TEXTS.takenOn(when);
  }
  const form = find<HTMLFormElement>('[data-delete]', photo);
  if (form) form.action = `${address}/delete`;
  const time = find<HTMLTimeElement>('time', photo);
  if (time) {
    time.dateTime = takenAt;
    time.textContent = when;
  }
  list.prepend(photo);
  updateSummary();
  return photo;
}

async function remove(button: HTMLElement): Promise<void> {
  const photo = button.closest<HTMLElement>('[data-photo]');
  if (!photo) return;
  const { photo: name = '' } = photo.dataset;
  deleted.add(name);
  const reply = await send('DELETE', `/camera/photos/${name}`, { timeoutMs: 5000 });
  // 404 means that the photo has already been deleted.
  if (!reply.ok && reply.status !== 404) return showResult(errorText(reply));
  photo.remove();
  updateSummary();
  showResult(PHOTO_TEXTS.deleted);
}

function updateSummary(): void {
  const empty = find('[data-no-photos]');
  if (empty) empty.hidden = all('[data-photos] [data-photo]').length > 0;
  // After the deletion, the server's photo count is outdated.
  showText(find('[data-photo-total]'), '');
}

function errorText({ status, message, hint }: Reply): string {
  return status === 0 ? PHOTO_TEXTS.unsure : [upperFirst(message), hint].filter(Boolean).join('. ');
}

function showResult(text: string): void {
  showText(find('[data-take-answer]'), text);
}
