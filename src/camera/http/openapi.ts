import {
  away,
  done,
  file,
  flag,
  json,
  listOf,
  moment,
  number,
  oneOf,
  orNull,
  page,
  pointerForm,
  record,
  ref,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type { Api } from '../../web/openapi/types.js';
import type { CameraState } from '../capture/camera.js';
import type { CameraFault } from '../capture/model.js';
import type { Photo } from '../photos/gallery.js';
import type { ViewerState } from '../streaming/viewer.js';

const fault = record<CameraFault>({ code: text, text, lines: listOf(text) }, { hint: text });

const state = record<CameraState>({
  ...{ tone: oneOf(['quiet', 'warn']), text, reason: text },
  phase: oneOf(['disabled', 'idle', 'starting', 'streaming', 'stopping', 'capturing', 'backoff']),
  ...{ simulated: flag, fault: orNull(fault) },
  ...{ width: { ...whole, unit: 'px' }, height: { ...whole, unit: 'px' }, framerate: number },
  newest: { ...whole, description: 'The number of the newest frame' },
  ageMs: { ...orNull(number), unit: 'ms' },
  retryInMs: { ...orNull(number), unit: 'ms' },
  viewers: whole,
  streams: listOf(record<ViewerState>({ sent: whole, dropped: whole })),
});

const photo = record<Photo>({ name: text, bytes: { ...whole, unit: 'bytes' }, takenAt: moment });
const PHOTO: Photo = { name: '20260504-140211-038.jpg', bytes: 482_113, takenAt: '2026-05-04T14:02:11.038Z' };
const name = { name: { description: 'As in the list of the photos' } };
const jpeg = file('A JPEG', 'image/jpeg');

export const cameraApi: Api = {
  tag: { name: 'Camera', description: 'The live picture and photos.' },
  schemas: { CameraState: state, Photo: photo },
  routes: {
    'GET /cameraSettings': {
      summary: 'The camera page',
      query: { photo: { description: 'The name of a photo to show large' } },
      answers: { 200: page('`cameraSettings.html`') },
    },
    'POST /cameraSettings': {
      summary: 'Its form, for browsers without scripts',
      body: pointerForm,
      answers: {
        200: page('Saved'),
        ...Object.fromEntries(
          [400, 409, 412, 413, 500].map((status) => [status, page('Not saved, and why')]),
        ),
      },
    },
    'GET /runCamera': {
      summary: 'The camera routine: takes a photo',
      answers: { 200: page('`cameraSettings.html` with the photo, or why there is none') },
    },
    'GET /camera/stream.mjpg': {
      summary: 'The live picture as MJPEG, without an end',
      query: {
        fps: { description: 'The most pictures a second', schema: { ...whole, minimum: 1, maximum: 30 } },
        advance_headers: { description: '1 for old Chromium', schema: oneOf(['0', '1']) },
      },
      answers: { 200: file('Pictures', 'multipart/x-mixed-replace') },
      failures: [400, 503],
    },
    'GET /camera/frame': {
      summary: 'The next live picture',
      query: {
        after: { description: 'The number of the frame that you have', schema: { ...whole, minimum: 0 } },
      },
      answers: {
        200: {
          ...jpeg,
          headers: {
            'x-frame': { description: 'Its number', schema: whole },
            'x-age-ms': { description: 'How old it is, ms', schema: whole },
          },
        },
        204: { description: 'None within five seconds' },
      },
      failures: [400, 503],
    },
    'GET /camera/snapshot.jpg': {
      summary: 'A picture of now',
      query: { full: { description: '1: a still with all its pixels', schema: oneOf(['0', '1']) } },
      answers: { 200: jpeg },
      failures: [503, 504],
    },
    'GET /camera/state.json': {
      summary: 'What the camera does, and why it gives no picture',
      answers: { 200: json('The camera', ref('CameraState')) },
    },
    'POST /camera/retry': {
      summary: 'Tries again at once',
      answers: {
        200: json('The camera', ref('CameraState')),
        303: away('A browser goes to the camera page'),
      },
    },
    'POST /camera/photo': {
      summary: 'Takes a photo',
      answers: { 201: json('The photo', ref('Photo'), PHOTO) },
      failures: [503, 504],
    },
    'GET /camera/photos': {
      summary: 'All photos',
      answers: {
        200: json('Newest first', record<{ photos: Photo[] }>({ photos: listOf(ref('Photo')) }), {
          photos: [PHOTO],
        }),
      },
    },
    'GET /camera/photos/:name': {
      summary: 'One photo',
      path: name,
      query: { download: { description: '1: to keep it', schema: oneOf(['0', '1']) } },
      answers: { 200: jpeg, 206: jpeg, 304: { description: 'You have it' } },
      failures: [404],
    },
    'GET /camera/photos/:name/thumbnail': {
      summary: 'A small picture of a photo',
      path: name,
      answers: { 200: jpeg, 206: jpeg, 304: { description: 'You have it' } },
      failures: [404],
    },
    'DELETE /camera/photos/:name': {
      summary: 'Deletes a photo',
      path: name,
      answers: { 200: done('It is gone') },
      failures: [404, 503],
    },
    'POST /camera/photos/:name/delete': {
      summary: 'The same, for forms',
      path: name,
      answers: { 303: away('To the camera page') },
      failures: [404, 503],
    },
  },
};
