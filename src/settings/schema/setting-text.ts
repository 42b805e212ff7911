import type { Section, settingsSchema } from './schema.js';

/** Units without a translation. */
type UnitSymbol =
  | '%'
  | '/s'
  | 'deg'
  | 'dpt'
  | 'm'
  | 'mV'
  | 'mm'
  | 'mm/s'
  | 'mm/s²'
  | 'ms'
  | 'px'
  | 's'
  | '°'
  | '°C'
  | 'µs';

type Member<Schema, Key extends string> = Schema extends Readonly<Record<Key, infer Value>> ? Value : never;

type Values<Table> = Table extends unknown ? Table[keyof Table] : never;

type Part<Schema> =
  | Values<Member<Schema, 'properties'>>
  | Member<Schema, 'items'>
  | Member<Schema, 'propertyNames'>
  | Member<Schema, 'additionalProperties'>;

type StepText<Steps> = Steps extends readonly (infer Step)[]
  ? Member<Step, 'text'> | Member<Step, 'title'>
  : never;

/** The texts of a schema and of all its parts, without the title of the schema itself. */
type TextBelow<Schema> =
  | Member<Schema, 'group'>
  | Member<Schema, 'description'>
  | Exclude<Member<Schema, 'unit'>, UnitSymbol>
  | Values<Member<Schema, 'valueTitles'>>
  | StepText<Member<Schema, 'steps'>>
  | TextOf<Part<Schema>>;

type TextOf<Schema> = Schema extends object ? Member<Schema, 'title'> | TextBelow<Schema> : never;

type Sections = (typeof settingsSchema)['properties'];

/** The translations of all titles, help texts and names of values in these sections of the settings. */
export type SettingTexts<Name extends Section> = {
  readonly [Text in TextBelow<Sections[Name]> & string]: string;
};

/** The translations of the titles of all sections. */
export type SectionTitles = { readonly [Text in Sections[Section]['title']]: string };

export type AllSettingTexts = SectionTitles & SettingTexts<Section>;
