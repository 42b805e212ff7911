import { declarePage, type Notice } from '../../http/pages.js';
import type { Fault } from '../../shared/errors.js';
import type { CalibrationView } from '../calibration/model.js';
import type { Marker } from '../markers/model.js';

type MarkerField = 'id' | 'sizeMm' | 'xMm' | 'yMm' | 'headingDeg' | 'purpose' | 'editing';

export interface MarkerForm {
  entered: Readonly<Partial<Record<MarkerField, string>>>;
  faults: readonly Fault[];
  isEdit: boolean;
  /** The form's initial values (JSON); empty for a new marker. */
  opened: string;
}

export interface MarkersPage {
  markers: readonly Marker[];
  /** IDs of the markers whose stored pose may be wrong. */
  suspicious: readonly number[];
  /** The marker whose values the form shows. */
  edited?: Marker | undefined;
  rejected?: MarkerForm;
  notice?: Notice | undefined;
}

export const markersPage = declarePage<MarkersPage>('Markers');

type CalibrationField = 'id' | 'sizeMm' | 'firstId' | 'xMm' | 'yMm' | 'headingDeg' | 'preset';

export interface CalibrationPage {
  view: CalibrationView;
  notice?: Notice | undefined;
  /** Input of a form that was not accepted, and its errors. */
  entered?: Readonly<Partial<Record<CalibrationField, string>>>;
  faults?: readonly Fault[];
}

export const calibrationPage = declarePage<CalibrationPage>('Camera calibration');
