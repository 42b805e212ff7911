import { upperFirst } from '../../../i18n/format.js';
import { settingsMessage } from '../../../settings/pure.js';
import { all, cloneTemplate, fill, find, revealScripted, showText } from '../../browser/dom.js';
import type { StateStore } from '../../browser/live/state-store.js';
import { field, post, type Reply, textField } from '../../browser/post.js';
import { TEXTS } from '../../browser/texts.js';
import { onTrialChange } from '../../browser/trial.js';
import { concerns, type Fault, faultText } from '../../labels/fault-texts.js';
import { warnBeforeLeaving } from './leaving.js';
import { showChanges } from './sections.js';
import { initTables } from './tables.js';
import { SETTINGS_TEXTS } from './texts.js';
import { controlText, documentOf, type SettingRow, setControlText, settingRows } from './values.js';

/** Marks a row that has an unsaved value or a value other than the default. */
function markRow({ element, control, before, standard }: SettingRow): void {
  const value = controlText(control);
  element.toggleAttribute('data-changed', value !== before);
  element.toggleAttribute('data-differs', value !== standard);
  if (value !== before || value !== standard) addMarks(element);
}

/** Adds the marks to a row; the server sends them only for rows with a value other than the default. */
function addMarks(row: HTMLElement): void {
  const marks = find('[data-marks]', row) ? undefined : cloneTemplate('marks-template');
  if (!marks) return;
  fill(marks, { defaultText: row.dataset.defaultText, label: find('label', row)?.textContent });
  find('[data-error]', row)?.before(marks);
  revealScripted();
}

/** Makes each "Reset to default" button reset its field. The change is reviewed and saved like any other. */
function initDefaults(form: HTMLFormElement, rows: () => readonly SettingRow[]): void {
  form.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-to-default]') : null;
    const row = rows().find(({ element }) => button && element.contains(button));
    if (!row) return;
    setControlText(row.control, row.standard);
    row.control.dispatchEvent(new Event('input', { bubbles: true }));
    row.control.focus();
  });
}

const CHANGED_MEANWHILE = 412;

export function initSettings(settings: HTMLFormElement, state: StateStore): void {
  let rows = settingRows(settings);
  const etag = find<HTMLInputElement>('[name="etag"]', settings);
  /**
   * ETag of the stored values. While there are unsaved changes, the form's field `etag` keeps the ETag of the values
   * that they replace.
   */
  let storedEtag = etag?.value ?? '';
  const changed = (): SettingRow[] => rows.filter(({ control, before }) => controlText(control) !== before);
  /** The number of changes that have been saved since the operator last edited a field. */
  let saved = 0;
  const count = (): void => {
    const open = changed().length;
    const texts = [
      ...(saved > 0 ? [SETTINGS_TEXTS.saved(saved)] : []),
      ...(saved === 0 || open > 0 ? [SETTINGS_TEXTS.changes(open)] : []),
    ];
    showText(find('[data-save-words]'), texts.join(' '));
    for (const button of all<HTMLButtonElement>('[data-save], [data-discard]')) button.disabled = open === 0;
    find('[data-savebar]')?.toggleAttribute('data-idle', open === 0 && saved === 0);
    for (const row of rows) markRow(row);
    showChanges(settings);
  };
  const save = async (): Promise<void> => {
    const open = changed();
    showFaults(rows, []);
    if (open.length === 0) return;
    saved = 0;
    const sent = new Map(open.map(({ pointer, control }) => [pointer, controlText(control)]));
    showText(find('[data-save-words]'), TEXTS.sending);
    const send = (): Promise<Reply> =>
      post('/updateJson', documentOf(open), { timeoutMs: 20_000, headers: { 'if-match': storedEtag } });
    let reply = await send();
    if (reply.status === CHANGED_MEANWHILE) {
      const conflicts = await refresh();
      if (conflicts && conflicts.length > 0) {
        count();
        return showFaults(rows, conflicts.map(conflictFault));
      }
      if (conflicts) reply = await send();
    }
    if (reply.status === 0) return showText(find('[data-save-words]'), SETTINGS_TEXTS.saveUnsure);
    if (!reply.ok) {
      count();
      showFaults(rows, reply.faults, reply);
      return;
    }
    // Only the values that were sent count as saved, because a field may have been changed again since.
    rows = rows.map((row) => savedRow(row, sent.get(row.pointer)));
    saved = open.length;
    count();
  };
  /**
   * Shows the stored values, keeps the values of edited fields, and returns the edited fields whose stored value has
   * changed; undefined if the stored values are not available.
   */
  const refresh = async (): Promise<SettingRow[] | undefined> => {
    const page = await currentPage();
    const form = page && find<HTMLFormElement>('[data-settings]', page);
    find('[data-not-current]')?.toggleAttribute('hidden', form !== undefined);
    settings.toggleAttribute('data-outdated', !form);
    if (!page || !form) return undefined;
    const stored = new Map(settingRows(form).map((row) => [row.pointer, row]));
    const conflicts = changed().filter(
      ({ pointer, before, control }) =>
        ![before, controlText(control)].includes(stored.get(pointer)?.before ?? before),
    );
    rows = rows.map((row) => refreshedRow(row, stored.get(row.pointer)));
    storedEtag = find<HTMLInputElement>('[name="etag"]', form)?.value ?? '';
    if (etag && changed().length === 0) etag.value = storedEtag;
    for (const row of conflicts) showRowFaults(row, [conflictFault(row)]);
    find('[data-restart-needed]')?.replaceWith(find('[data-restart-needed]', page) ?? '');
    count();
    return conflicts;
  };
  /** Refreshes the form if the settings were changed elsewhere, for example by a program or in the file. */
  const follow = async (): Promise<void> => {
    const current = await currentEtag();
    if (current !== undefined && current !== storedEtag) await refresh();
  };
  // The gateway sends a snapshot after each change of the settings. The first snapshot is sent because the page was
  // loaded, not because of a change.
  let { connectedAt } = state;
  state.onDraw((live) => {
    if (live.connectedAt === connectedAt) return;
    const isFirst = connectedAt === Number.NEGATIVE_INFINITY;
    connectedAt = live.connectedAt;
    if (!isFirst) void follow();
  });
  // Also checks at the first focus, because the settings may have changed between the rendering of the page and the
  // first snapshot.
  settings.addEventListener('focusin', () => void follow(), { once: true });
  if (settings.contains(document.activeElement)) void follow();
  settings.addEventListener('input', () => {
    saved = 0;
    count();
  });
  initTables(settings);
  initDefaults(settings, () => rows);
  settings.addEventListener('submit', (event) => {
    if (settings.hasAttribute('data-review')) return;
    event.preventDefault();
    void save();
  });
  find('[data-discard]')?.addEventListener('click', () => {
    for (const { control, before } of rows) setControlText(control, before);
    showFaults(rows, []);
    saved = 0;
    count();
  });
  find('[data-test]')?.addEventListener('click', () => void testConnection(rows));
  warnBeforeLeaving(settings, () => changed().length > 0);
  onTrialChange(() => void refresh());
  count();
}

const conflictFault = ({ pointer }: SettingRow): Fault => ({
  path: pointer,
  message: settingsMessage('fault.changed-elsewhere'),
});

/** Returns the ETag of the stored settings; undefined if the gateway does not send it. */
async function currentEtag(): Promise<string | undefined> {
  try {
    const response = await fetch('/variables.json', {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(20_000),
    });
    return response.ok ? (response.headers.get('etag') ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the page with the stored values; undefined if the gateway does not send it. */
async function currentPage(): Promise<Document | undefined> {
  const link = find<HTMLAnchorElement>('[data-not-current] a');
  if (!link) return undefined;
  try {
    const response = await fetch(link.href, { cache: 'no-store', signal: AbortSignal.timeout(20_000) });
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the row after its stored value changed. The control keeps a value that the operator has entered. */
function refreshedRow(row: SettingRow, stored: SettingRow | undefined): SettingRow {
  if (!stored) return row;
  const { before, standard } = stored;
  if (controlText(row.control) === row.before && before !== row.before) setControlText(row.control, before);
  return { ...row, before, standard };
}

/** Returns the row after `sent` was saved. A secret is replaced by asterisks. */
function savedRow(row: SettingRow, sent: string | undefined): SettingRow {
  if (sent === undefined) return row;
  const before = row.kind === 'secret' && sent !== '' ? '***' : sent;
  if (controlText(row.control) === sent) setControlText(row.control, before);
  return { ...row, before };
}

/** Shows each error next to its field and in the error summary. */
function showFaults(rows: readonly SettingRow[], faults: readonly Fault[], reply?: Reply): void {
  const summary = find('[data-summary]');
  const items = faults.map((fault) => summaryItem(fault, rows));
  for (const row of rows) showRowFaults(row, faults);
  // The error summary already lists the errors, so the message is omitted if there are errors.
  const sentence = reply && faults.length === 0 ? upperFirst(reply.message) : '';
  const message = [sentence, reply?.hint].filter(Boolean).join('. ');
  const title = find('[data-summary-title]');
  if (title) title.textContent = SETTINGS_TEXTS.notSaved;
  showText(find('[data-summary-message]'), message);
  find('[data-summary-list]')?.replaceChildren(...items);
  const bad = faults.length > 0 || message !== '';
  if (summary) summary.hidden = !bad;
  if (bad) summary?.focus();
}

function showRowFaults(row: SettingRow, faults: readonly Fault[]): void {
  const { element, pointer } = row;
  const own = faults.filter((fault) => concerns(pointer, fault));
  const line = find('[data-error]', element);
  if (line) line.textContent = own.map((fault) => upperFirst(rowFaultText(row, fault))).join('. ');
  element.classList.toggle('bad', own.length > 0);
  const details = element.closest('details');
  if (details && own.length > 0) details.open = true;
}

function summaryItem(fault: Fault, rows: readonly SettingRow[]): HTMLLIElement {
  const row = rows.find(({ pointer }) => concerns(pointer, fault));
  const item = document.createElement('li');
  const label = find('label', row?.element ?? item)?.textContent ?? fault.path;
  const link = Object.assign(document.createElement('a'), { textContent: label });
  if (row) link.href = `#${row.control.id}`;
  item.append(link, ` ${row ? rowFaultText(row, fault) : faultText(fault.path, fault)}`);
  return item;
}

function rowFaultText({ pointer, kind, control }: SettingRow, fault: Fault): string {
  return faultText(pointer, fault, kind === 'list' ? controlText(control) : undefined);
}

async function testConnection(rows: readonly SettingRow[]): Promise<void> {
  const answer = find('[data-test-answer]');
  const section = rows.filter(({ pointer }) => pointer.startsWith('/mqtt/'));
  showFaults(rows, []);
  showText(answer, SETTINGS_TEXTS.testing);
  const reply = await post('/brokerSettings/test', documentOf(section), { timeoutMs: 20_000 });
  const ms = field(reply.body, 'ms');
  if (field(reply.body, 'ok') === true) return showText(answer, SETTINGS_TEXTS.testOk(Number(ms)));
  showText(
    answer,
    SETTINGS_TEXTS.testBad(textField(reply.body, 'reason') || reply.message || TEXTS.cannotReach),
  );
}
