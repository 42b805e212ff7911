import type { Severity } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/page-text.js';
import type { CalibrationQuality, CalibrationResult, CalibrationView } from '../../navigation/index.js';

export interface Fact {
  label: string;
  value: string;
}

export interface QualityText {
  tone: Severity;
  text: string;
  /** The consequences of the quality for the cart. */
  meaning: string;
}

export function qualityText(quality: CalibrationQuality): QualityText {
  switch (quality) {
    case 'good':
      return { tone: 'quiet', text: t('Good'), meaning: t('Docking is possible.') };
    case 'fair':
      return {
        tone: 'warn',
        text: t('Fair'),
        meaning: t(
          'Sufficient for localizing the cart, but not for docking. Calibrate with the printed board.',
        ),
      };
    case 'poor':
      return {
        tone: 'warn',
        text: t('Poor'),
        meaning: t('Measured distances may be wrong by several percent. Calibrate the camera.'),
      };
  }
}

/** States why the stored calibration does not apply; empty if it applies or if no calibration is stored. */
export function staleCalibrationText({ status, calibratedSize, camera }: CalibrationView): string {
  if (!status.isStale || !calibratedSize) return '';
  const [before, now] = [sizeText(calibratedSize), sizeText(camera)];
  return before === now
    ? t('Stale: calibrated for another camera, orientation or crop. Calibrate again.')
    : t('Stale: calibrated for {0}; the camera now delivers {1}. Calibrate again.', before, now);
}

export function factsOf({ status, camera }: CalibrationView): Fact[] {
  const { reprojectionErrorPx, expectedErrorPercent } = status;
  return [
    { label: t('Method'), value: methodText(status.method) },
    { label: t('Expected distance error'), value: `${decimal(expectedErrorPercent, 1)} %` },
    {
      label: t('Reprojection error'),
      value: reprojectionErrorPx === null ? t('Unknown') : `${decimal(reprojectionErrorPx, 2)} px`,
    },
    { label: t('Resolution'), value: sizeText(camera) },
    { label: t('Focal length'), value: lengthText(camera.fPx, camera.fieldOfViewDeg) },
  ];
}

export function resultFacts(result: CalibrationResult): Fact[] {
  const { fPx, previousFPx, changePercent, fieldOfViewDeg, reprojectionErrorPx, expectedErrorPercent } =
    result;
  const change = `${changePercent >= 0 ? '+' : ''}${decimal(changePercent, 1)} %`;
  const facts = [
    { label: t('Method'), value: methodText(result.method) },
    { label: t('Focal length'), value: lengthText(fPx, fieldOfViewDeg) },
    { label: t('Change'), value: t('{0} compared with the current {1} px', change, decimal(previousFPx, 1)) },
    { label: t('Expected distance error'), value: `${decimal(expectedErrorPercent, 1)} %` },
    { label: t('Reprojection error'), value: `${decimal(reprojectionErrorPx, 2)} px` },
    { label: t('Images'), value: String(result.images) },
  ];
  if (result.method === 'one-shot') return facts;
  const centre = `${decimal(result.cxPx, 1)} × ${decimal(result.cyPx, 1)} px`;
  return [
    ...facts,
    { label: t('Image centre'), value: centre },
    { label: t('Distortion'), value: decimal(result.k1, 3) },
  ];
}

function methodText(method: CalibrationView['status']['method']): string {
  if (method === 'preset') return t('Data sheet of the camera model (not calibrated)');
  return method === 'full' ? t('Printed board') : t('One marker at 1.00 m');
}

function sizeText({ width, height }: { width: number; height: number }): string {
  return `${width} × ${height}`;
}

function lengthText(fPx: number, angleDeg: number): string {
  return t('{0} px (field of view {1}°)', decimal(fPx, 1), decimal(angleDeg, 1));
}
