import { decimal } from '../../i18n/language.js';
import { settingText, t } from '../../i18n/page-text.js';
import { FIELDS_OF_VIEW_DEG, PRESET_ERROR_PERCENT } from '../markers/calibration.js';
import { navigationSchema, type Preset } from '../markers/settings-schema.js';

const { enum: PRESETS, valueTitles } = navigationSchema.properties.preset;

interface PresetChoice {
  value: Preset;
  text: string;
  isSelected: boolean;
}

export function presetChoices(selected: string): PresetChoice[] {
  return PRESETS.map((value) => ({
    ...{ value, isSelected: value === selected },
    text: t`${settingText(valueTitles[value])}: field of view ${decimal(FIELDS_OF_VIEW_DEG[value], 1)}°, expected error ${PRESET_ERROR_PERCENT} %`,
  }));
}
