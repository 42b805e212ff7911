import {
  type CartView,
  DEG_PER_UNIT,
  HARD,
  type KinematicsSettings,
  type LimitsSettings,
  MM_PER_UNIT,
  type PresetsSettings,
  type UnitsSettings,
} from '../../carts/index.js';
import { metres } from '../../i18n/format.js';
import { t } from '../../i18n/page-text.js';
import { turn } from '../labels/labels.js';

export interface CommandFormInput {
  limits: LimitsSettings;
  units: UnitsSettings;
  /** If absent, the cart has a differential drive. */
  kinematics?: KinematicsSettings;
  presets?: PresetsSettings;
  meaning: string;
  entered?: Readonly<Record<string, unknown>>;
}

const ANGLE_WORDS: Record<UnitsSettings['angle'], string> = { deg: '°', ddeg: '0.1°', cdeg: '0.01°' };

interface CommandField {
  name: 'distanceID' | 'angleID' | 'maxSpeed';
  label: string;
  value: string;
  /** Value used if the field is empty. */
  placeholder: string;
  unit: string;
  /** Labels of the buttons for a positive and a negative number. */
  plus: string;
  minus: string;
  signed: boolean;
  min: number;
  max: number;
  /** Size of one unit in mm, degrees or mm/s. */
  per: number;
  help: string;
  table: boolean;
  options: { value: string; text: string; amount: number; selected: boolean }[];
}

const BLANK = { help: '', placeholder: '', table: false, options: [], signed: false, plus: '', minus: '' };

export interface CommandForm {
  drive: KinematicsSettings['type'];
  /** A longer move is sent only after a hold; in mm. */
  holdAboveMm: number;
  /** Tooltip of the presets, which are disabled while the cart moves. */
  presetsRule: string;
  /** Submitted with the command, so that the command is rejected if the units or presets have changed. */
  meaning: string;
  carts: { cartID: number; name: string; note: string; selected: boolean }[];
  distance: CommandField;
  angle: CommandField;
  speed: CommandField;
}

export interface FormRules {
  meaning: string;
  units: UnitsSettings['mode'];
  drive: KinematicsSettings['type'];
  mmPerUnit: number;
  degPerUnit: number;
  maxMm: number;
  maxDeg: number;
}

export function commandForm(
  input: CommandFormInput,
  carts: readonly CartView[],
  selectedID: number,
): CommandForm {
  const { limits, meaning } = input;
  // Numbers entered in outdated units are discarded, so that they are not sent by mistake.
  const isOld = (input.entered?.meaning ?? meaning) !== meaning;
  const entered = (name: string): string => (isOld ? '' : String(input.entered?.[name] ?? ''));
  return {
    drive: input.kinematics?.type ?? 'differential',
    holdAboveMm: limits.holdAboveMm,
    presetsRule: t('Presets start only while the cart is stationary.'),
    meaning,
    carts: carts.map(({ cartID, name, destination, online }) => ({
      cartID,
      name,
      note: [destination === 'serial' ? t('this gateway') : '', online ? '' : t('not reachable')]
        .filter(Boolean)
        .join(', '),
      selected: cartID === selectedID,
    })),
    distance: distanceField(input, entered('distanceID') || '0'),
    angle: angleField(input, entered('angleID') || '0'),
    speed: {
      ...BLANK,
      name: 'maxSpeed',
      label: t('Speed'),
      value: entered('maxSpeed'),
      placeholder: String(Math.min(limits.defaultSpeedMmps, limits.maxSpeedMmps)),
      unit: 'mm/s',
      min: 1,
      max: limits.maxSpeedMmps,
      per: 1,
      help: t(
        'Default {0} mm/s, maximum {1} mm/s.',
        Math.min(limits.defaultSpeedMmps, limits.maxSpeedMmps),
        limits.maxSpeedMmps,
      ),
    },
  };
}

export function motionRules(input: Omit<CommandFormInput, 'presets' | 'entered'>): FormRules {
  const { limits, units, meaning } = input;
  const mmPerUnit = MM_PER_UNIT[units.distance];
  return {
    meaning,
    units: units.mode,
    drive: input.kinematics?.type ?? 'differential',
    mmPerUnit,
    maxMm: Math.min(limits.maxDistanceMm, HARD.distanceMax * mmPerUnit),
    degPerUnit: DEG_PER_UNIT[units.angle],
    maxDeg: limits.maxAngleDeg,
  };
}

function distanceField({ limits, units, presets }: CommandFormInput, value: string): CommandField {
  const per = MM_PER_UNIT[units.distance];
  const max = Math.min(Math.floor(limits.maxDistanceMm / per), HARD.distanceMax);
  const field: CommandField = {
    ...BLANK,
    name: 'distanceID',
    label: t('Distance'),
    value,
    unit: units.distance,
    min: -max,
    max,
    per,
    signed: true,
    plus: t('Forward'),
    minus: t('Back'),
  };
  if (units.mode === 'table') return chosen(field, presets?.distance ?? {}, (mm) => metres(mm));
  return { ...field, help: t('Maximum {0}. A minus sign drives the cart backwards.', max) };
}

function angleField({ limits, units, kinematics, presets }: CommandFormInput, value: string): CommandField {
  const per = DEG_PER_UNIT[units.angle];
  const steers = kinematics?.type === 'ackermann';
  const maxDeg = steers ? kinematics.maxSteerDeg : limits.maxAngleDeg;
  const max = Math.round(maxDeg / per);
  const field: CommandField = {
    ...BLANK,
    name: 'angleID',
    label: steers ? t('Steering angle') : t('Turn'),
    value,
    unit: ANGLE_WORDS[units.angle],
    min: -max,
    max,
    per,
    signed: true,
    plus: t('Left'),
    minus: t('Right'),
  };
  if (units.mode === 'table') return chosen(field, presets?.angle ?? {}, turn);
  const help = steers
    ? t('Maximum {0}. A minus sign steers to the right.', max)
    : t('Maximum {0}. A minus sign turns the cart to the right.', max);
  return { ...field, help };
}

function chosen(
  field: CommandField,
  table: Readonly<Record<string, number>>,
  format: (amount: number) => string,
): CommandField {
  const entries = Object.entries(table);
  const options = entries.map(([id, amount]) => ({
    value: id,
    text: `${id}: ${format(amount)}`,
    amount,
    selected: id === field.value,
  }));
  const help =
    entries.length > 0 ? t('Presets from the settings.') : t('No presets yet. Add them in the settings.');
  return { ...field, unit: '', per: 1, signed: false, table: true, help, options };
}
