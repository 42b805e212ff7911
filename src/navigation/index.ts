// Other folders import this module only through this file.

export { Approach, motionFault } from './approach/service.js';
export { MAX_FIRST_ID } from './calibration/board.js';
export { type BoardSheetTexts, boardSheet } from './calibration/board-sheet.js';
export {
  type CalibrationQuality,
  type CameraSetup,
  calibratedModel,
  FIELDS_OF_VIEW_DEG,
  PRESET_ERROR_PERCENT,
} from './calibration/calibration.js';
export { BOARD_MARKERS, type CalibrationResult, type CalibrationView } from './calibration/model.js';
export { Calibration } from './calibration/service.js';
export { approachApi } from './http/approach-openapi.js';
export { calibrationApi } from './http/calibration-openapi.js';
export { locationApi, markerApi } from './http/openapi.js';
export {
  type CalibrationPage,
  calibrationPage,
  type MarkerForm,
  type MarkersPage,
  markersPage,
} from './http/pages.js';
export { type NavigationRoutesDeps, navigationRoutes, type PoseGuard } from './http/routes.js';
export { goodCovariance } from './localization/localizer.js';
export { Localization } from './localization/service.js';
export { DetectorHost, type MeasureAnswer, type MeasureRequest } from './markers/detector-host.js';
export { DetectorService } from './markers/detector-service.js';
export type { Marker, Pose } from './markers/model.js';
export { Markers, markersEtag } from './markers/registry.js';
export { MAX_MARKER_ID } from './markers/schema.js';
export type { Preset } from './markers/settings-schema.js';
export { markerSheet, type SheetTexts } from './markers/sheet.js';
export { markerWrites } from './markers/writes.js';
export { navigationMessage } from './messages.js';
export * from './pure.js';
