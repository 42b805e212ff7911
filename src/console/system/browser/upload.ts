import { all, find, showText } from '../../browser/dom.js';
import { textField } from '../../browser/post.js';
import { uploadInParts, withoutCopyNumber } from '../../browser/upload.js';

interface Target {
  url(file: File): string;
  /** Shows the uploaded backup. */
  done(name: string): void;
}

/** By the value of `data-upload-form`. */
const TARGETS: Readonly<Record<string, Target>> = {
  database: { url: () => '/backups/upload', done: verify },
  gateway: {
    url: (file) => `/gateway-backups/${encodeURIComponent(withoutCopyNumber(file))}`,
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
  const reply = await uploadInParts({ file, url: target.url(file), show });
  if (reply) target.done(textField(reply.body, 'name'));
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
