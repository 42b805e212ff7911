import { t } from '../../i18n/page-text.js';
import { lineOf, type PlanView, planLineSchema } from '../../plan/index.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { NUMBER, plainNumber } from '../../shared/validation/number-text.js';
import { planText } from './plan-text.js';

type LineField = keyof typeof planLineSchema.properties;
const NAMES = Object.keys(planLineSchema.properties) as LineField[];

/** A rejected line: the values entered in the form, the error, and the field that it concerns. */
export interface RejectedLine {
  entered: Readonly<Record<string, string>>;
  field: string;
  error: string;
}

interface PlanField {
  name: LineField;
  value: string;
  isInvalid: boolean;
}

export interface PlanContext {
  text: string;
  /** URL of the image; empty if there is no floor plan. */
  picture: string;
  /** The `PlanView` as JSON, so that the page needs no request for it. */
  json: string;
  length: PlanField;
  points: { number: 1 | 2; title: string; fields: (PlanField & { axis: 'x' | 'y' })[] }[];
  error: string;
}

/** Strings that are not numbers stay unchanged, so that validation rejects them. */
export function lineOfForm(body: unknown): Record<string, string | number> {
  const entries = Object.entries(lineTexts(body)).filter(([, text]) => text !== '');
  return Object.fromEntries(
    entries.map(([name, text]) => {
      const plain = plainNumber(text);
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
  const fieldOf = (name: LineField): PlanField => ({
    name,
    value: entered[name] ?? '',
    isInvalid: name === field,
  });
  return {
    text: planText(plan ?? null),
    picture: plan ? `/map/plan/picture?v=${plan.version}` : '',
    json: JSON.stringify(plan ?? null),
    length: fieldOf('lengthM'),
    points: ([1, 2] as const).map((number) => ({
      number,
      title: t('Point {0}', number),
      fields: (['x', 'y'] as const).map((axis) => ({ axis, ...fieldOf(`${axis}${number}`) })),
    })),
    error,
  };
}
