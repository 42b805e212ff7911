import * as t from '../../http/openapi/schema-helpers.js';
import { MAX_FIRST_ID } from '../calibration/board.js';
import type { CalibrationStatus } from '../calibration/calibration.js';
import {
  type CalibrationResult,
  type CalibrationView,
  DISCARDABLE,
  type SeenView,
} from '../calibration/model.js';
import { markerIdSchema, markerSchema } from '../markers/schema.js';
import { navigationSchema } from '../markers/settings-schema.js';

const program = t.access({ need: 'operator', scopes: ['settings:write'] });

const { preset, mount } = navigationSchema.properties;
const px = { ...t.number, unit: 'px' } as const;
const percent = { ...t.number, unit: '%' } as const;
const quality = { ...t.oneOf(['good', 'fair', 'poor']), description: 'Only `good` permits docking' };
const expectedErrorPercent = { ...percent, description: 'Expected error of measured distances' };
const firstId = { type: 'integer', minimum: 0, maximum: MAX_FIRST_ID } as const;

export const oneShotSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { ...markerIdSchema, description: 'By default, the only marker in view' },
    sizeMm: { ...markerSchema.properties.sizeMm, description: 'Required if the marker is not registered' },
  },
} as const;

export const boardImageSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { firstId: { ...firstId, description: 'First ID on the printed board' } },
} as const;

export const discardSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['what'],
  properties: { what: t.oneOf(DISCARDABLE) },
} as const;

const result = t.record<CalibrationResult>({
  method: t.oneOf(['one-shot', 'full']),
  images: t.whole,
  ...t.each(px, 'fPx', 'previousFPx', 'cxPx', 'cyPx', 'reprojectionErrorPx'),
  changePercent: percent,
  expectedErrorPercent,
  fieldOfViewDeg: t.deg,
  k1: t.number,
  quality,
  isUnusual: {
    ...t.flag,
    description: 'True if the focal length differs by more than 10 % from that of the camera model',
  },
});

const view = t.record<CalibrationView>({
  camera: t.record<CalibrationView['camera']>({
    isOn: t.flag,
    preset: t.oneOf(preset.enum),
    width: t.whole,
    height: t.whole,
    fPx: { ...px, description: 'Focal length in use' },
    fieldOfViewDeg: t.deg,
  }),
  mount: t.record<CalibrationView['mount']>({ xMm: t.mm, yMm: t.mm, headingDeg: t.deg }),
  status: t.record<CalibrationStatus>({
    method: t.oneOf(['preset', 'one-shot', 'full']),
    isStale: {
      ...t.flag,
      description:
        'True if a stored calibration no longer applies because the camera or its settings have changed',
    },
    quality,
    expectedErrorPercent,
    reprojectionErrorPx: t.orNull(px),
  }),
  calibratedSize: {
    ...t.orNull(t.exact(t.each(t.whole, 'width', 'height'))),
    description: 'Image size of the stored calibration',
  },
  board: t.record<CalibrationView['board']>({
    ...t.each(t.whole, 'firstId', 'columns', 'rows', 'images', 'neededImages', 'maxImages'),
    ...t.each(t.mm, 'sizeMm', 'pitchMm'),
  }),
  isBusy: { ...t.flag, description: 'True while an image is taken or a calibration is computed' },
  result: { ...t.orNull(result), description: 'A result that has not been saved' },
});

const seen = t.record<SeenView>({
  text: t.text,
  ids: t.listOf(t.whole),
  boardMarkers: { ...t.whole, description: 'Number of markers on the printed board' },
});

const done = { ok: t.jsonOf('Calibration'), redirect: t.BACK };

const chapter = {
  name: 'Camera calibration',
  description:
    'The focal length, image centre and distortion of the camera, from a marker at 1.00 m or from images of a printed board. Results are kept in memory until they are saved.',
  schemas: { Calibration: view },
};
export const calibrationApi = t.api(chapter, {
  'GET /navigation/calibration': program('Returns the calibration in use and the current session', {
    query: { saved: { description: 'Result of the last form submission' } },
    ok: t.jsonOrPage(t.ref('Calibration')),
  }),
  'GET /navigation/calibration/seen': program('Returns the markers in view', {
    description: 'Keeps the camera and the marker detector running for 3 s.',
    ok: t.json(seen),
  }),
  'GET /navigation/calibration/board.svg': program('Returns a board of markers to print on A4 paper', {
    query: { firstId: { ...firstId, description: 'By default, the highest ID without registered markers' } },
    ok: t.file('image/svg+xml'),
    fails: [400, 409],
  }),
  'POST /navigation/calibration/one-shot': program(
    'Computes the focal length from a marker at exactly 1.00 m',
    {
      description: 'Takes 10 images within 15 s. Does not save the result.',
      body: t.formBody(oneShotSchema, { id: 12 }, 4),
      ...done,
      fails: [409],
    },
  ),
  'POST /navigation/calibration/board/images': program('Takes an image of the printed board', {
    description:
      'Waits up to 10 s for the board to be held still. The view must differ from the earlier images.',
    body: t.formBody(boardImageSchema, { firstId: 563 }, 4),
    ...done,
    fails: [409],
  }),
  'POST /navigation/calibration/board/compute': program(
    'Computes the calibration from the images of the board',
    {
      description: 'Requires at least 10 images. Does not save the result.',
      body: t.empty,
      ...done,
      fails: [409],
    },
  ),
  'POST /navigation/calibration/save': program('Saves the result in the settings', {
    body: t.empty,
    ...done,
    fails: [409],
  }),
  'POST /navigation/calibration/discard': program('Discards the result, the last image or all images', {
    body: t.formBody(discardSchema, { what: 'result' }, 4),
    ...done,
    fails: [409],
  }),
  'DELETE /navigation/calibration': program('Discards the result and all images', {
    ok: t.jsonOf('Calibration'),
    fails: [409],
  }),
  'POST /navigation/calibration/camera': t.operator('Saves the camera model and its position (HTML form)', {
    body: t.pageForm(
      t.open(['preset'], t.each(t.text, 'preset', ...Object.keys(mount.properties))),
      { preset: 'module-3', xMm: '250', yMm: '0', headingDeg: '0' },
      4,
    ),
    redirect: t.BACK,
    fails: [409],
  }),
});
