import { isJsonObject } from '../../shared/validation/json.js';
import { lineOf } from '../floor-plan/line.js';
import { type PlanView, planLineSchema } from '../floor-plan/schema.js';
import { planText } from '../plan-text.js';

const NAMES = Object.keys(planLineSchema.properties) as (keyof typeof planLineSchema.properties)[];
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** A rejected line: the form's texts, the error, and the field that it concerns. */
export interface RejectedLine {
  entered: Readonly<Record<string, string>>;
  field: string;
  error: string;
}

export interface PlanContext {
  text: string;
  /** Address of the image; empty without a floor plan. */
  picture: string;
  /** Text and validity of each field, by its name. */
  fields: Record<string, { value: string; isInvalid: boolean }>;
  error: string;
}

/** Converts the form's texts to numbers. A text that is not a number is kept, so that it is rejected. */
export function lineOfForm(body: unknown): Record<string, string | number> {
  const entries = Object.entries(lineTexts(body)).filter(([, text]) => text !== '');
  return Object.fromEntries(
    entries.map(([name, text]) => {
      // Accepts a decimal comma and a typographic minus sign.
      const plain = text.replace(',', '.').replace('−', '-');
      return [name, NUMBER.test(plain) ? Number(plain) : text];
    }),
  );
}

export function lineTexts(body: unknown): Record<string, string> {
  const values = isJsonObject(body) ? body : {};
  return Object.fromEntries(NAMES.map((name) => [name, String(values[name] ?? '').trim()]));
}

export function planContext(plan: PlanView | undefined, rejected: RejectedLine | undefined): PlanContext {
  const line = plan?.points ? lineTexts(lineOf(plan.points)) : {};
  const { entered = line, field, error = '' } = rejected ?? {};
  return {
    text: planText(plan ?? null),
    picture: plan ? `/map/plan/picture?v=${plan.version}` : '',
    fields: Object.fromEntries(
      NAMES.map((name) => [name, { value: entered[name] ?? '', isInvalid: name === field }]),
    ),
    error,
  };
}
