import * as t from '../../http/openapi/schema-helpers.js';
import type { CameraState } from '../capture/camera.js';
import type { CameraFault } from '../capture/model.js';
import type { Photo } from '../photos/gallery.js';
import type { ViewerState } from '../streaming/viewer.js';

const read = t.access({ need: 'operator', scopes: ['camera:read'] });
/** Access rule of the routes that video players open. */
const play = t.access({ need: 'operator', scopes: ['camera:read'], basicKey: true });
const change = t.access({ need: 'operator' });

const fault = t.record<CameraFault>(
  { ...t.each(t.text, 'code', 'text'), lines: t.listOf(t.text) },
  { hint: t.text },
);
const state = t.record<CameraState>({
  tone: t.oneOf(['quiet', 'warn']),
  text: t.text,
  reason: t.text,
  simulated: t.flag,
  phase: t.oneOf(['disabled', 'idle', 'starting', 'streaming', 'stopping', 'capturing', 'backoff']),
  fault: t.orNull(fault),
  framerate: t.number,
  viewers: t.whole,
  ...t.each({ ...t.whole, unit: 'px' }, 'width', 'height'),
  newest: { ...t.whole, description: 'Number of the latest image' },
  ...t.each({ ...t.orNull(t.number), unit: 'ms' }, 'ageMs', 'retryInMs'),
  streams: t.listOf(t.record<ViewerState>(t.each(t.whole, 'sent', 'dropped'))),
});
const photo = t.record<Photo>({ name: t.text, bytes: t.bytes, takenAt: t.moment });
const PHOTO: Photo = { name: '20260504-140211-038.jpg', bytes: 482_113, takenAt: '2026-05-04T14:02:11.038Z' };

const jpeg = t.download('image/jpeg');
const zeroOrOne = t.oneOf(['0', '1']);

const cameraChapter = {
  name: 'Camera',
  description: 'Live view and photos.',
  schemas: { CameraState: state, Photo: photo },
};
export const cameraApi = t.api(cameraChapter, {
  'GET /cameraSettings': read('Shows the camera page', {
    query: {
      photo: { description: 'Name of a photo to show at full size' },
      saved: {
        ...t.text,
        description: 'ETag of the saved settings; if given, the page confirms the save',
      },
    },
    ok: t.page,
  }),
  'POST /cameraSettings': change('Saves the camera settings (HTML form, for browsers without JavaScript)', {
    body: t.pointerForm(),
    redirect: 'The browser is redirected to the camera page, which shows the result',
    answers: { 409: t.page, 412: t.page },
  }),
  'GET /runCamera': read('Takes a photo and shows the camera page', { ok: t.page }),
  'GET /camera/stream.mjpg': play('Returns the live view as an endless MJPEG stream', {
    query: {
      fps: { ...t.between(1, 30), description: 'Maximum number of images per second' },
      advance_headers: {
        ...zeroOrOne,
        description: 'Set to 1 to send the headers of each part early, for old versions of Chromium',
      },
    },
    ok: t.file('multipart/x-mixed-replace'),
    fails: [400],
  }),
  'GET /camera/frame': read('Waits for the next live image', {
    query: {
      after: { ...t.between(0), description: 'Number of the last image that the client received' },
    },
    ok: {
      ...jpeg.ok,
      headers: {
        'x-frame': { ...t.whole, description: 'Image number' },
        'x-age-ms': { ...t.whole, description: 'Image age, in ms' },
        'x-waited-ms': { ...t.whole, description: 'Time that the request waited for the image, in ms' },
      },
    },
    answers: { 204: { description: 'No new image within 5 s' } },
    fails: [400],
  }),
  'GET /camera/snapshot.jpg': play('Returns the current camera image', {
    query: { full: { ...zeroOrOne, description: 'Set to 1 for a photo at full resolution' } },
    ok: jpeg.ok,
    fails: [504],
  }),
  'GET /camera/state.json': read('Returns the camera state, including any fault', {
    ok: t.jsonOf('CameraState'),
  }),
  'POST /camera/retry': change(
    'Retries starting the camera immediately instead of at the next scheduled retry',
    {
      ok: t.jsonOf('CameraState'),
      redirect: 'Browsers are redirected to the camera page',
    },
  ),
  'POST /camera/photo': change('Takes a photo', { created: t.jsonOf('Photo', PHOTO), fails: [504] }),
  'GET /camera/photos': read('Lists all photos, newest first', {
    ok: t.json(t.record<{ photos: Photo[] }>({ photos: t.refs('Photo') }), { photos: [PHOTO] }),
  }),
  'GET /camera/photos/:name': read('Returns a photo', {
    ...jpeg,
    query: { download: { ...zeroOrOne, description: 'Set to 1 to download the photo as an attachment' } },
  }),
  'GET /camera/photos/:name/thumbnail': read('Returns a thumbnail', { ...jpeg }),
  'DELETE /camera/photos/:name': change('Deletes a photo', { ok: t.done }),
  'POST /camera/photos/:name/delete': change('Deletes a photo (HTML form, for browsers without JavaScript)', {
    redirect: 'Redirect to the camera page',
  }),
});
