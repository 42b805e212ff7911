import { sentence, upperFirst } from '../../../i18n/format.js';
import { withTexts } from '../../../i18n/shared-text.js';
import { LIVE_BEACON_TEXTS } from '../../../locales/nl/beacons.js';
import { find } from '../../browser/dom.js';
import { field, type Reply, send, textField } from '../../browser/post.js';
import { BEACON_TEXTS } from './texts.js';

const t = withTexts(LIVE_BEACON_TEXTS);

const MAX_BYTES = 2 * 1024 * 1024;

export function initImport({ onChange }: { onChange: () => void }): void {
  const form = find<HTMLFormElement>('[data-import]');
  const input = find<HTMLInputElement>('#import-file');
  const button = find<HTMLButtonElement>('[data-import-go]');
  if (!form || !input || !button) return;
  const check = (): void => {
    const file = input.files?.[0];
    const isTooLarge = file !== undefined && file.size > MAX_BYTES;
    button.disabled = !file || isTooLarge;
    if (!file) return showResult('');
    showResult(
      isTooLarge ? BEACON_TEXTS.tooLarge(file.size, MAX_BYTES) : BEACON_TEXTS.ready(file.name, file.size),
    );
  };
  input.addEventListener('change', check);
  // Checked immediately, because the browser can restore the selected file when the user goes back.
  check();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const file = input.files?.[0];
    if (!file || button.disabled) return;
    button.disabled = true;
    showResult(BEACON_TEXTS.importing(file.name));
    void importFile(file).then((isDone) => {
      button.disabled = false;
      if (!isDone) return;
      form.reset();
      button.disabled = true;
      onChange();
    });
  });
}

async function importFile(file: File): Promise<boolean> {
  const upsert = find<HTMLInputElement>('#import-upsert')?.checked ?? false;
  const start = await file.slice(0, 1000).text();
  const type = /^\s*[[{]/.test(start) ? 'application/json' : 'text/csv';
  // Sends the file's bytes, because decoding would replace those that are not UTF-8.
  const body = new Blob([file], { type });
  const reply = await send('POST', `/beacons/import?upsert=${upsert}`, { timeoutMs: 60_000 }, body);
  if (reply.status === 0) showResult(BEACON_TEXTS.noAnswer);
  else if (reply.ok)
    showResult(
      BEACON_TEXTS.imported(count(reply, 'created'), count(reply, 'replaced'), count(reply, 'unchanged')),
    );
  else showErrors(reply);
  return reply.ok;
}

function count({ body }: Reply, name: string): number {
  return Number(field(body, name) ?? 0);
}

function showResult(text: string): void {
  const line = Object.assign(document.createElement('p'), { textContent: text });
  find('[data-import-answer]')?.replaceChildren(...(text === '' ? [] : [line]));
}

function showErrors({ message, hint, body }: Reply): void {
  const box = find('[data-import-answer]');
  const faults = field(body, 'faults');
  const title = Object.assign(document.createElement('h3'), {
    textContent: sentence(upperFirst(message)),
  });
  const advice = Object.assign(document.createElement('p'), { textContent: adviceOf(hint, body) });
  const table = Array.isArray(faults) ? faultTable(faults) : document.createElement('p');
  const panel = Object.assign(document.createElement('div'), { className: 'import-faults' });
  panel.append(title, advice, table);
  box?.replaceChildren(panel);
}

/**
 * Returns the advice for a rejected import. The API's hint about a conflict names a query parameter, so the advice
 * names the page's switch instead.
 */
function adviceOf(hint: string, body: unknown): string {
  return field(body, 'code') === 'CONFLICT' ? t('Turn on “Replace existing beacons” to replace them.') : hint;
}

function faultTable(faults: readonly unknown[]): HTMLElement {
  // CSV faults have line numbers, which include the header and empty rows.
  const hasLines = faults.some((fault) => field(fault, 'line') !== undefined);
  const rows = faults.map((fault) => {
    const path = String(field(fault, 'path') ?? '').slice(1);
    const place = field(fault, hasLines ? 'line' : 'row');
    const [id, value] = [textField(fault, 'id'), textField(fault, 'value')];
    const name = path || BEACON_TEXTS.wholeRow;
    const cells = [
      place,
      id,
      value && path !== 'id' ? `${name}: ${value}` : name,
      textField(fault, 'message'),
    ];
    return row(
      'td',
      cells.map((cell) => String(cell ?? '')),
    );
  });
  const { faultLine, faultRow, faultBeacon, faultField, faultMessage } = BEACON_TEXTS;
  const [table, head, body] = [
    document.createElement('table'),
    document.createElement('thead'),
    document.createElement('tbody'),
  ];
  head.append(row('th', [hasLines ? faultLine : faultRow, faultBeacon, faultField, faultMessage]));
  body.append(...rows);
  table.append(head, body);
  const scroll = Object.assign(document.createElement('div'), {
    className: 'scroll fault-scroll',
    tabIndex: 0,
  });
  scroll.setAttribute('role', 'group');
  scroll.setAttribute('aria-label', faultMessage);
  scroll.append(table);
  return scroll;
}

function row(kind: 'td' | 'th', texts: readonly string[]): HTMLTableRowElement {
  const element = document.createElement('tr');
  for (const text of texts) {
    const cell = Object.assign(document.createElement(kind), { textContent: text });
    if (kind === 'th') cell.setAttribute('scope', 'col');
    element.append(cell);
  }
  return element;
}
