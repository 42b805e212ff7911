import type { FromSchema } from 'json-schema-to-ts';
import { HARD } from './request-schema.js';

export const unitsSchema = {
  type: 'object',
  title: 'Units',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: ['mode', 'distance', 'angle'],
  properties: {
    mode: {
      type: 'string',
      enum: ['direct', 'table'],
      valueTitles: { direct: 'Values in the units below', table: 'Preset keys' },
      title: 'Interpretation of numbers',
      description: 'Determines whether distanceID and angleID contain values or preset keys.',
      default: 'direct',
    },
    distance: {
      basic: true,
      type: 'string',
      enum: ['mm', 'cm', 'dm', 'm'],
      valueTitles: { mm: 'Millimetres (mm)', cm: 'Centimetres (cm)', dm: 'Decimetres (dm)', m: 'Metres (m)' },
      title: 'Distance unit',
      description:
        'The unit of distanceID. The default is the smallest unit, so that a wrong unit moves the cart too little rather than too far.',
      default: 'mm',
    },
    angle: {
      basic: true,
      type: 'string',
      enum: ['deg', 'ddeg', 'cdeg'],
      valueTitles: { deg: 'Degrees', ddeg: 'Tenths of a degree', cdeg: 'Hundredths of a degree' },
      title: 'Angle unit',
      description: 'The unit of angleID. Positive values turn left.',
      default: 'deg',
    },
  },
} as const;

interface PresetTable<Title, ValueTitle, Unit> {
  title: Title;
  valueTitle: ValueTitle;
  unit: Unit;
  bound: number;
  example: Record<number, number>;
}

const presetTable = <Title extends string, ValueTitle extends string, Unit extends string>({
  title,
  valueTitle,
  unit,
  bound,
  example,
}: PresetTable<Title, ValueTitle, Unit>) =>
  ({
    type: 'object',
    title,
    propertyNames: { type: 'string', pattern: '^-?\\d{1,9}$', title: 'Preset key' },
    additionalProperties: { type: 'number', minimum: -bound, maximum: bound, unit, title: valueTitle },
    maxProperties: 200,
    default: {},
    examples: [example],
  }) as const;

export const presetsSchema = {
  type: 'object',
  title: 'Presets',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: ['distance', 'angle'],
  properties: {
    distance: presetTable({
      title: 'distanceID presets (mm)',
      valueTitle: 'Distance',
      unit: 'mm',
      bound: HARD.distanceMax,
      example: { 1: 500, 2: -500 },
    }),
    angle: presetTable({
      title: 'angleID presets (degrees)',
      valueTitle: 'Angle',
      unit: 'deg',
      bound: HARD.angleMax,
      example: { 1: 90, 2: -90 },
    }),
  },
} as const;

export type UnitsSettings = FromSchema<typeof unitsSchema>;
export type PresetsSettings = FromSchema<typeof presetsSchema>;

/** Size of each unit of a command's numbers, in mm or degrees. */
export const MM_PER_UNIT: Readonly<Record<UnitsSettings['distance'], number>> = {
  mm: 1,
  cm: 10,
  dm: 100,
  m: 1000,
};
export const DEG_PER_UNIT: Readonly<Record<UnitsSettings['angle'], number>> = {
  deg: 1,
  ddeg: 0.1,
  cdeg: 0.01,
};
