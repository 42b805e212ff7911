import type { Notice } from '../../http/pages.js';
import { upperFirst } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { translated } from '../../i18n/messages.js';
import { settingText, t } from '../../i18n/page-text.js';
import {
  BOARD_MARKERS,
  type BoardSheetTexts,
  type CalibrationPage,
  FIELDS_OF_VIEW_DEG,
  navigationSchema,
  PRESET_ERROR_PERCENT,
  type Preset,
} from '../../navigation/index.js';
import { faultText } from '../labels/fault-texts.js';
import { noticeText, type Translated } from '../layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import {
  type Fact,
  factsOf,
  type QualityText,
  qualityText,
  resultFacts,
  staleCalibrationText,
} from './facts.js';

const { enum: PRESETS, valueTitles } = navigationSchema.properties.preset;

interface PresetChoice {
  value: Preset;
  text: string;
  isSelected: boolean;
}

function presetChoices(selected: string): PresetChoice[] {
  return PRESETS.map((value) => ({
    value,
    isSelected: value === selected,
    text: t(
      '{0}: field of view {1}°, expected error {2} %',
      settingText(valueTitles[value]),
      decimal(FIELDS_OF_VIEW_DEG[value], 1),
      PRESET_ERROR_PERCENT,
    ),
  }));
}

type FieldName = 'id' | 'sizeMm' | 'firstId' | 'xMm' | 'yMm' | 'headingDeg';

interface Field {
  name: FieldName;
  label: string;
  unit: string;
  help: string;
  isOptional: boolean;
  value: string;
  error: string;
}

interface CalibrationContext extends LayoutContext {
  state: { quality: QualityText; stale: string; facts: Fact[] };
  result: { quality: QualityText; facts: Fact[]; isUnusual: boolean } | null;
  /** State of the camera, for the live view. */
  camera: { live: boolean; reason: string };
  markerFields: Field[];
  boardFields: Field[];
  mountFields: Field[];
  board: {
    firstId: number;
    lastId: number;
    images: number;
    needed: number;
    hasImages: boolean;
    isComplete: boolean;
    isFull: boolean;
  };
  presets: ReturnType<typeof presetChoices>;
  notice: Translated<Notice> | null;
}

const fieldTexts = (): Record<FieldName, Pick<Field, 'label' | 'unit' | 'help' | 'isOptional'>> => ({
  id: {
    label: t('Marker'),
    unit: '',
    isOptional: true,
    help: t('ID of the marker. If empty, the only marker in view is used.'),
  },
  sizeMm: {
    label: t('Size'),
    unit: 'mm',
    isOptional: true,
    help: t('Width of the black square. Only for a marker that is not registered.'),
  },
  firstId: {
    label: t('First ID'),
    unit: '',
    isOptional: false,
    help: t(
      'The first number in the title of the printed board. The board must not contain the ID of a registered marker.',
    ),
  },
  xMm: {
    label: t('Position forward'),
    unit: 'mm',
    isOptional: false,
    help: t('From the midpoint between the driven wheels to the lens; negative to the rear.'),
  },
  yMm: {
    label: t('Position to the left'),
    unit: 'mm',
    isOptional: false,
    help: t('From the centre line of the cart to the lens; negative to the right.'),
  },
  headingDeg: {
    label: t('Direction'),
    unit: '°',
    isOptional: false,
    help: t('0 is forward; positive values are to the left.'),
  },
});

export function calibrationContext(layout: LayoutData, page: CalibrationPage): CalibrationContext {
  const { view, entered = {}, faults = [], notice } = page;
  const { camera, board, status, result, mount } = view;
  const stored: Record<FieldName, string> = {
    id: '',
    sizeMm: '',
    firstId: String(board.firstId),
    xMm: text(mount.xMm),
    yMm: text(mount.yMm),
    headingDeg: text(mount.headingDeg),
  };
  const fields = (...names: FieldName[]): Field[] =>
    names.map((name) => {
      const own = faults.filter(({ path }) => path === name || path.endsWith(`/${name}`));
      const error = own.map((fault) => upperFirst(faultText(fault.path, fault))).join('. ');
      return { name, ...fieldTexts()[name], value: entered[name] ?? stored[name], error };
    });
  return {
    ...layoutContext(layout, { page: 'calibration' }),
    state: { quality: qualityText(status.quality), stale: staleCalibrationText(view), facts: factsOf(view) },
    result: result && {
      quality: qualityText(result.quality),
      facts: resultFacts(result),
      isUnusual: result.isUnusual,
    },
    camera: { live: camera.isOn, reason: translated(layout.links.camera.reason) },
    markerFields: fields('id', 'sizeMm'),
    boardFields: fields('firstId'),
    mountFields: fields('xMm', 'yMm', 'headingDeg'),
    board: {
      firstId: board.firstId,
      lastId: board.firstId + BOARD_MARKERS - 1,
      images: board.images,
      needed: board.neededImages,
      hasImages: board.images > 0,
      isComplete: board.images >= board.neededImages,
      isFull: board.images >= board.maxImages,
    },
    presets: presetChoices(entered.preset ?? camera.preset),
    notice: notice ? noticeText(notice) : null,
  };
}

function text(value: number): string {
  return String(value).replace('-', '−');
}

export function boardTexts(firstId: number): BoardSheetTexts {
  return {
    title: t('Calibration board, markers {0} to {1} (tag36h11)', firstId, firstId + BOARD_MARKERS - 1),
    instructions: [
      t('Print on A4 without scaling. Measure both rulers: they must be equally long.'),
      t('Glue the sheet to a flat, rigid, matt board.'),
      t('Keep the board away from the carts after the calibration.'),
    ],
    ruler: t('100 mm'),
  };
}
