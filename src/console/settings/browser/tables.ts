import { all, find } from '../../browser/dom.js';

/** Returns the cells of the rows that are not empty, as a JSON array of rows. */
export function cellsText(table: HTMLTableSectionElement): string {
  return textOf(table, ({ value }) => value);
}

/** Returns the table's initial cells, as served with the page, in the format of `cellsText`. */
export function servedCellsText(table: HTMLTableSectionElement): string {
  return textOf(table, ({ defaultValue }) => defaultValue);
}

function textOf(table: HTMLTableSectionElement, textOfCell: (cell: HTMLInputElement) => string): string {
  const rows = [...table.rows].map((row) => cellsOf(row).map((cell) => textOfCell(cell).trim()));
  return JSON.stringify(rows.filter((cells) => cells.some((cell) => cell !== '')));
}

/** @param text in the format of `cellsText`. An empty row follows the rows. */
export function setCells(table: HTMLTableSectionElement, text: string): void {
  const rows: string[][] = JSON.parse(text);
  while (table.rows.length > 1) table.deleteRow(-1);
  for (const cells of rows) appendRow(table, cells);
  appendRow(table, []);
  table.deleteRow(0);
}

/** Lets the operator add and remove the rows of tables. Each table keeps one row as a template for new rows. */
export function initTables(form: HTMLFormElement): void {
  form.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button') : null;
    const table = find<HTMLTableSectionElement>('[data-cells]', button?.closest('.cells') ?? form);
    if (!button || !table) return;
    if ('removeRow' in button.dataset) removeRow(table, button.closest('tr'));
    else if ('addRow' in button.dataset) addRow(table, []);
    else if (button.dataset.offer !== undefined) {
      addRow(table, JSON.parse(button.dataset.offer));
      button.remove();
    } else return;
    table.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

function removeRow(table: HTMLTableSectionElement, row: HTMLTableRowElement | null): void {
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  if (!row) return;
  if (!next) appendRow(table, []);
  row.remove();
  find('input', next ?? table)?.focus();
}

/** Fills the last row if it is empty; otherwise, appends a row. */
function addRow(table: HTMLTableSectionElement, cells: readonly string[]): void {
  const last = table.rows[table.rows.length - 1];
  const isEmpty = last !== undefined && cellsOf(last).every(({ value }) => value.trim() === '');
  const row = isEmpty ? last : appendRow(table, cells);
  fillRow(row, cells);
  cellsOf(row)[0]?.focus();
}

function appendRow(table: HTMLTableSectionElement, cells: readonly string[]): HTMLTableRowElement {
  const row = table.rows[0]?.cloneNode(true);
  if (!(row instanceof HTMLTableRowElement)) throw new Error('the table has no row');
  for (const error of all('.error', row)) error.remove();
  for (const input of cellsOf(row)) {
    for (const name of ['id', 'aria-invalid', 'aria-describedby']) input.removeAttribute(name);
  }
  fillRow(row, cells);
  table.append(row);
  return row;
}

function fillRow(row: HTMLTableRowElement, cells: readonly string[]): void {
  for (const [column, input] of cellsOf(row).entries()) input.value = cells[column] ?? '';
}

function cellsOf(row: HTMLTableRowElement): HTMLInputElement[] {
  return all<HTMLInputElement>('input', row);
}
