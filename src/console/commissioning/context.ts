import {
  assumedDecelMmps2,
  type CommissioningPage,
  type CommissioningStep,
  DEG_PER_UNIT,
  extentOf,
  FOOTPRINT_FIELDS,
  type KinematicsSettings,
  type LimitsSettings,
  MM_PER_UNIT,
  type PresetsSettings,
  type SerialSettings,
  STEPS,
  type UnitsSettings,
  unitsFingerprint,
} from '../../carts/index.js';
import { metres, sentence } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { begun, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { cameraText } from '../labels/labels.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import {
  brakeTestTexts,
  commissioningSummary,
  resultText,
  type StepFacts,
  stepTexts,
  stepTitle,
} from './labels.js';

export interface CommissioningSettings {
  units: UnitsSettings;
  presets: PresetsSettings;
  limits: LimitsSettings;
  kinematics: KinematicsSettings;
  serial: SerialSettings;
}

const SHORT_MM = 100;
const LONG_MM = 3000;
const TURN_DEG = 30;
const SLOW_MMPS = 100;

/** A number in a command, and the mm or degrees that it represents. */
interface Amount {
  id: number;
  amount: number;
}

/** A number is absent if the settings allow no suitable distance or angle. */
interface CommissioningOrders {
  short?: Amount | undefined;
  long?: Amount | undefined;
  turn?: Amount | undefined;
  /** Exceeds the distance limit, so the command must be rejected. */
  tooLong?: Amount | undefined;
  maxSpeed: number;
}

export function commissioningOrders({ units, presets, limits }: CommissioningSettings): CommissioningOrders {
  const isTable = units.mode === 'table';
  const mm = isTable ? undefined : MM_PER_UNIT[units.distance];
  const deg = isTable ? undefined : DEG_PER_UNIT[units.angle];
  const longMm = Math.min(LONG_MM, limits.maxDistanceMm);
  return {
    short: mm ? atLeast(SHORT_MM, mm, limits.maxDistanceMm) : smallest(presets.distance),
    long: mm
      ? atLeast(longMm - (longMm % mm) || longMm, mm, limits.maxDistanceMm)
      : largest(presets.distance),
    turn: deg ? atLeast(TURN_DEG, deg, limits.maxAngleDeg) : smallest(presets.angle),
    tooLong: mm ? atLeast(limits.maxDistanceMm + 1, mm, Number.POSITIVE_INFINITY) : undefined,
    maxSpeed: Math.min(SLOW_MMPS, limits.maxSpeedMmps),
  };
}

/** Returns the smallest multiple of `per` that is at least `least`; undefined if it exceeds `most`. */
function atLeast(least: number, per: number, most: number): Amount | undefined {
  const id = Math.ceil(least / per - 1e-9);
  return id * per <= most ? { id, amount: id * per } : undefined;
}

function smallest(presets: Readonly<Record<string, number>>): Amount | undefined {
  return sorted(presets)[0];
}

function largest(presets: Readonly<Record<string, number>>): Amount | undefined {
  return sorted(presets).at(-1);
}

function sorted(presets: Readonly<Record<string, number>>): Amount[] {
  const entries = Object.entries(presets).map(([id, amount]) => ({ id: Number(id), amount }));
  return entries.filter(({ amount }) => amount > 0).toSorted((a, b) => a.amount - b.amount);
}

export function commissioningContext(
  layout: LayoutData,
  page: CommissioningPage,
  settings: CommissioningSettings,
): LayoutContext {
  const { results, brakeTests, step } = page;
  const orders = commissioningOrders(settings);
  const next = STEPS.find((name) => results[name] === undefined);
  const shown = {
    sentence: commissioningSummary(results),
    steps: STEPS.map((name) => ({
      step: name,
      title: stepTitle(name),
      result: resultText(results[name]),
      outcome: results[name]?.outcome ?? '',
      note: results[name]?.note ?? '',
    })),
    next: next ?? STEPS[0],
    isBegun: STEPS.some((name) => results[name] !== undefined),
    isOpen: next !== undefined,
    camera: cameraText(layout.links.camera),
    brakeTests: brakeTests.map((test) => ({
      ...brakeTestTexts(test),
      at: test.at,
      mayWithdraw: layout.visitor?.role === 'admin' && !test.withdrawn,
    })),
    hasBrakeTests: brakeTests.length > 0,
    braking: t(
      'Near zones, the gateway assumes a deceleration of {0} mm/s².',
      Math.round(assumedDecelMmps2(settings.limits.decelMmps2, brakeTests)),
    ),
    now: step ? stepOf(step, page, settings, orders) : null,
  };
  const title = step ? { title: stepTitle(step) } : {};
  return { ...layoutContext(layout, { page: 'commissioning', ...title }), ...shown };
}

function stepOf(
  step: CommissioningStep,
  { results, rejected }: CommissioningPage,
  settings: CommissioningSettings,
  orders: CommissioningOrders,
): object {
  const { limits, serial, kinematics } = settings;
  const facts: StepFacts = {
    distance: orders.short ? metres(orders.short.amount) : '',
    turn: orders.turn ? `${Math.round(orders.turn.amount)}°` : '',
    longest: metres(limits.maxDistanceMm),
    topSpeed: `${decimal(limits.maxSpeedMmps / 1000, 2)} m/s`,
    timeoutMs: serial.timeoutMs,
  };
  const number = STEPS.indexOf(step) + 1;
  const texts = stepTexts(step, facts);
  const result = results[step];
  const { title: _title, ...shown } = texts;
  return {
    ...shown,
    step,
    where: t('Step {0} of {1}', number, STEPS.length),
    button: texts.button ?? null,
    before: STEPS[number - 2] ?? null,
    result: result ? { text: resultText(result), note: result.note } : null,
    isCamera: step === 'camera',
    fields: fieldsOf(step, settings).map((field) => ({
      ...field,
      value: String(rejected?.entered[field.name] ?? field.value),
      isInvalid: rejected?.field === field.name,
    })),
    isFootprint: step === 'footprint',
    error: rejected
      ? [begun(rejected.message), translated(rejected.hint)].filter(Boolean).map(sentence).join(' ')
      : '',
    orders: JSON.stringify({
      ...orders,
      timeoutMs: serial.timeoutMs,
      decelMmps2: limits.decelMmps2,
      drive: kinematics.type,
      meaning: unitsFingerprint(settings),
    }),
  };
}

interface StepField {
  name: string;
  label: string;
  /** Empty for text. */
  unit: string;
  help: string;
  value: number | string;
}

function fieldsOf(step: CommissioningStep, { limits, kinematics }: CommissioningSettings): StepField[] {
  switch (step) {
    case 'footprint': {
      const extent = extentOf(kinematics.footprint);
      const labels = { frontMm: t('Front'), rearMm: t('Rear'), leftMm: t('Left'), rightMm: t('Right') };
      return FOOTPRINT_FIELDS.map((name) => ({
        name,
        label: labels[name],
        unit: 'mm',
        help: '',
        value: extent?.[name] ?? '',
      }));
    }
    case 'brake':
      return [
        {
          name: 'speedMmps',
          label: t('Speed'),
          unit: 'mm/s',
          help: t('When you pressed Stop; at least half of the speed limit.'),
          value: limits.maxSpeedMmps,
        },
        { name: 'distanceMm', label: t('Stopping distance'), unit: 'mm', help: '', value: '' },
        { name: 'load', label: t('Load'), unit: '', help: t('For example: 80 kg of boxes.'), value: '' },
      ];
    default:
      return [];
  }
}
