import { upperFirst } from '../../i18n/format.js';
import { settingText, settingUnit } from '../../i18n/page-text.js';
import type { Fault } from '../../shared/errors.js';
import { isJsonObject, parseJson } from '../../shared/validation/json.js';
import { faultText } from '../labels/fault-texts.js';
import { cellsOf, columnsOf, type SettingsField, submittedCells } from './fields.js';

/** A row that an operator can add to a table. */
export interface Offer {
  label: string;
  cells: readonly string[];
}

export interface Filling {
  values: unknown;
  faults: readonly Fault[];
  /** Unsaved input, keyed by JSON pointer; shown instead of the stored values. */
  entered: Readonly<Record<string, unknown>>;
  /** Rows that an operator can add to a table, keyed by JSON pointer. */
  offers: Readonly<Record<string, readonly Offer[]>>;
}

interface Cell {
  id: string;
  name: string;
  column: string;
  value: string;
  error: string;
  /** Row number, counted from 1. */
  row: number;
}

export interface Table {
  columns: { title: string }[];
  /** The last row is empty, so that the operator can add an entry. */
  rows: { cells: Cell[] }[];
  /** `value` contains the cells as a JSON array. */
  offers: { label: string; value: string }[];
  hasOffers: boolean;
  /** The cells of all rows that are not empty, as JSON. */
  text: string;
  /** Returns the cell that contains the fault, or undefined if the fault concerns the whole table. */
  cellAt: (fault: Fault) => Cell | undefined;
}

/**
 * @param id ID of the first cell.
 * @param value the stored table.
 */
export function tableOf(field: SettingsField, id: string, value: unknown, filling: Filling): Table {
  const { pointer, schema } = field;
  const columns = columnsOf(schema).map(({ key, schema: { title, unit } }) => ({
    key,
    title: [settingText(title ?? key), unit && `(${settingUnit(unit)})`].filter(Boolean).join(' '),
  }));
  const filled =
    submittedCells(field, filling.entered) ?? cellsOf(sentValue(field, filling) ?? value, schema);
  const rows = [...filled, columns.map(() => '')].map((texts, at) => ({
    cells: columns.map(
      ({ key, title }, column): Cell => ({
        id: at + column === 0 ? id : `${id}-${at}-${key}`,
        name: `${pointer}/${key}`,
        column: title,
        value: texts[column] ?? '',
        error: '',
        row: at + 1,
      }),
    ),
  }));
  const cellAt = (fault: Fault): Cell | undefined => {
    const [first = '', second = ''] = fault.path.slice(pointer.length + 1).split('/');
    if (!fault.path.startsWith(`${pointer}/`)) return undefined;
    if (schema.items) return rows[Number(first)]?.cells[columns.findIndex(({ key }) => key === second)];
    if (second !== '') return rows[Number(second)]?.cells[0];
    return rows.find(({ cells }) => cells[0]?.value === first)?.cells[1];
  };
  for (const fault of filling.faults) {
    const cell = cellAt(fault);
    if (cell) cell.error = upperFirst(faultText(fault.path, fault));
  }
  const offers = (filling.offers[pointer] ?? []).filter(
    ({ cells: [key] }) => !filled.some((cells) => cells[0] === key),
  );
  return {
    columns,
    rows,
    offers: offers.map(({ label, cells }) => ({ label, value: JSON.stringify(cells) })),
    hasOffers: offers.length > 0,
    text: JSON.stringify(filled),
    cellAt,
  };
}

/** Returns the table that a client other than the page has sent as JSON, if it is valid. */
function sentValue({ pointer, schema }: SettingsField, { entered }: Filling): unknown {
  const text = entered[pointer];
  if (typeof text !== 'string') return undefined;
  try {
    const value = parseJson(text);
    return (schema.items ? Array.isArray(value) : isJsonObject(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}
