import { find, showText } from '../../browser/dom.js';
import { type Reply, send, textField } from '../../browser/post.js';
import { SYSTEM_TEXTS } from './texts.js';

/** Size of a part in bytes; the gateway accepts at most 4 MiB. */
const PART_BYTES = 1024 * 1024;
/** The check after the last part reads the whole file from the SD card. */
const TIMEOUT_MS = 300_000;

/** Uploads a backup in parts, then opens the page that verifies and restores it. */
export function initUpload(): void {
  find('[data-upload]')?.removeAttribute('hidden');
  find('[data-upload-form]')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const file = find<HTMLInputElement>('#backup-file')?.files?.[0];
    const button = find<HTMLButtonElement>('[data-upload-form] button');
    if (!file || !button || button.disabled) return;
    button.disabled = true;
    void upload(file).finally(() => {
      button.disabled = false;
    });
  });
}

async function upload(file: File): Promise<void> {
  const show = (text: string): void => showText(find('[data-upload-words]'), text);
  for (let first = 0; first < Math.max(1, file.size); first += PART_BYTES) {
    const part = file.slice(first, first + PART_BYTES);
    show(SYSTEM_TEXTS.uploading(Math.floor((100 * first) / Math.max(1, file.size))));
    const range = `bytes ${first}-${first + part.size - 1}/${file.size}`;
    const headers = { 'content-range': range, 'content-type': 'application/octet-stream' };
    const reply = await send('PUT', '/backups/upload', { timeoutMs: TIMEOUT_MS, headers }, part);
    if (!reply.ok) return show(failure(reply));
    if (reply.status === 201) return verify(textField(reply.body, 'name'));
  }
}

function verify(name: string): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = `/backups/${name}/verify`;
  document.body.append(form);
  form.submit();
}

function failure({ status, message, hint }: Reply): string {
  if (status === 0) return SYSTEM_TEXTS.uploadFailed;
  return [message, hint].filter((text) => text !== '').join('. ');
}
