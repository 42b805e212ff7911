import { t } from '../../i18n/shared-text.js';
import { type Reply, send } from './post.js';

const UPLOAD_TEXTS = {
  uploading: (percent: number) => t('Uploading: {0} %', percent),
  failed: t('No response from the gateway'),
} as const;

/** Size of a part in bytes; the gateway accepts at most 4 MiB. */
const PART_BYTES = 1024 * 1024;
/** The check after the last part reads the whole file from the SD card. */
const TIMEOUT_MS = 300_000;

interface Upload {
  file: File;
  url: string;
  headers?: Record<string, string>;
  /** Shows the progress, or why the upload failed. */
  show(text: string): void;
}

/** Uploads a file in parts. Returns the response to the last part, or undefined if the upload failed. */
export async function uploadInParts({ file, url, headers, show }: Upload): Promise<Reply | undefined> {
  for (let first = 0; first < Math.max(1, file.size); first += PART_BYTES) {
    const part = file.slice(first, first + PART_BYTES);
    show(UPLOAD_TEXTS.uploading(Math.floor((100 * first) / Math.max(1, file.size))));
    const range = `bytes ${first}-${first + part.size - 1}/${file.size}`;
    const options = {
      timeoutMs: TIMEOUT_MS,
      headers: { 'content-range': range, 'content-type': 'application/octet-stream', ...headers },
    };
    const reply = await send('PUT', url, options, part);
    if (!reply.ok) {
      show(failure(reply));
      return undefined;
    }
    if (reply.status === 201) return reply;
  }
  return undefined;
}

/** Browsers add a number to the name of a second download: `name (1).cwbackup`. */
export function withoutCopyNumber({ name }: File): string {
  return name.replace(/ ?\(\d+\)(?=\.\w+$)/, '');
}

function failure({ status, message, hint }: Reply): string {
  if (status === 0) return UPLOAD_TEXTS.failed;
  return [message, hint].filter((text) => text !== '').join('. ');
}
