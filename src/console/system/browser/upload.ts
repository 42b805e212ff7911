import { all, find, showText } from '../../browser/dom.js';
import { type Reply, send, textField } from '../../browser/post.js';
import { SYSTEM_TEXTS } from './texts.js';

/** Size of a part in bytes; the gateway accepts at most 4 MiB. */
const PART_BYTES = 1024 * 1024;
/** The check after the last part reads the whole file from the SD card. */
const TIMEOUT_MS = 300_000;

interface Target {
  url(file: File): string;
  /** Shows the uploaded backup. */
  done(name: string): void;
}

/** By the value of `data-upload-form`. */
const TARGETS: Readonly<Record<string, Target>> = {
  database: { url: () => '/backups/upload', done: verify },
  gateway: {
    // Browsers add a number to the name of a second download: `name (1).cwbackup`.
    url: ({ name }) => `/gateway-backups/${encodeURIComponent(name.replace(/ ?\(\d+\)(?=\.\w+$)/, ''))}`,
    done: showGatewayBackups,
  },
};

/** Uploads a backup in parts, then opens the page that shows it. */
export function initUploads(): void {
  for (const section of all('[data-upload]')) section.removeAttribute('hidden');
  for (const form of all<HTMLFormElement>('[data-upload-form]')) {
    const target = TARGETS[form.dataset.uploadForm ?? ''];
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const file = find<HTMLInputElement>('input[type="file"]', form)?.files?.[0];
      const button = find<HTMLButtonElement>('button', form);
      if (!target || !file || !button || button.disabled) return;
      button.disabled = true;
      void upload(file, target, find('[data-upload-words]', form)).finally(() => {
        button.disabled = false;
      });
    });
  }
}

async function upload(file: File, target: Target, words: HTMLElement | undefined): Promise<void> {
  const show = (text: string): void => showText(words, text);
  for (let first = 0; first < Math.max(1, file.size); first += PART_BYTES) {
    const part = file.slice(first, first + PART_BYTES);
    show(SYSTEM_TEXTS.uploading(Math.floor((100 * first) / Math.max(1, file.size))));
    const range = `bytes ${first}-${first + part.size - 1}/${file.size}`;
    const headers = { 'content-range': range, 'content-type': 'application/octet-stream' };
    const reply = await send('PUT', target.url(file), { timeoutMs: TIMEOUT_MS, headers }, part);
    if (!reply.ok) return show(failure(reply));
    if (reply.status === 201) return target.done(textField(reply.body, 'name'));
  }
}

/** Setting only the fragment would not load the page again. */
function showGatewayBackups(): void {
  if (location.pathname !== '/system') return location.assign('/system#gateway-backups');
  location.hash = 'gateway-backups';
  location.reload();
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
