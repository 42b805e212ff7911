import * as t from '../../web/openapi/parts.js';
import type { CameraState } from '../capture/camera.js';
import type { CameraFault } from '../capture/model.js';
import type { Photo } from '../photos/gallery.js';
import type { ViewerState } from '../streaming/viewer.js';

const read = t.access({ need: 'operator', scopes: ['camera:read'] });
const change = t.access({ need: 'operator' });

const fault = t.record<CameraFault>(
  { ...t.each(t.text, 'code', 'text'), lines: t.listOf(t.text) },
  { hint: t.text },
);
const state = t.record<CameraState>({
  ...{ tone: t.oneOf(['quiet', 'warn']), text: t.text, reason: t.text, simulated: t.flag },
  phase: t.oneOf(['disabled', 'idle', 'starting', 'streaming', 'stopping', 'capturing', 'backoff']),
  ...{ fault: t.orNull(fault), framerate: t.number, viewers: t.whole },
  ...t.each({ ...t.whole, unit: 'px' }, 'width', 'height'),
  newest: { ...t.whole, description: 'The number of the newest frame' },
  ...t.each({ ...t.orNull(t.number), unit: 'ms' }, 'ageMs', 'retryInMs'),
  streams: t.listOf(t.record<ViewerState>(t.each(t.whole, 'sent', 'dropped'))),
});
const photo = t.record<Photo>({ name: t.text, bytes: t.bytes, takenAt: t.moment });
const PHOTO: Photo = { name: '20260504-140211-038.jpg', bytes: 482_113, takenAt: '2026-05-04T14:02:11.038Z' };

const jpeg = t.download('image/jpeg');
const zeroOrOne = t.oneOf(['0', '1']);

const cameraChapter = {
  name: 'Camera',
  description: 'The live picture and photos.',
  schemas: { CameraState: state, Photo: photo },
};
export const cameraApi = t.api(cameraChapter, {
  'GET /cameraSettings': read('The camera page', {
    query: { photo: { description: 'The name of a photo to show large' } },
    ok: t.page,
  }),
  'POST /cameraSettings': change('Its form, for browsers without scripts', {
    body: t.pointerForm(),
    ok: t.page,
    answers: { 409: t.page, 412: t.page },
  }),
  'GET /runCamera': read('The camera routine: takes a photo', { ok: t.page }),
  'GET /camera/stream.mjpg': read('The live picture as endless MJPEG', {
    query: {
      fps: { ...t.between(1, 30), description: 'At most so many pictures per second' },
      advance_headers: { ...zeroOrOne, description: '1 for old Chromium' },
    },
    ok: t.file('multipart/x-mixed-replace'),
    fails: [400],
  }),
  'GET /camera/frame': read('The next live picture', {
    query: { after: { ...t.between(0), description: 'The number of the frame that the client has' } },
    ok: {
      ...jpeg.ok,
      headers: {
        'x-frame': { ...t.whole, description: 'Its number' },
        'x-age-ms': { ...t.whole, description: 'Its age, ms' },
      },
    },
    answers: { 204: { description: 'None within five seconds' } },
    fails: [400],
  }),
  'GET /camera/snapshot.jpg': read('The current picture', {
    query: { full: { ...zeroOrOne, description: '1: a still in full resolution' } },
    ok: jpeg.ok,
    fails: [504],
  }),
  'GET /camera/state.json': read('The state, or why there is no picture', { ok: t.jsonOf('CameraState') }),
  'POST /camera/retry': change('Tries again at once', {
    ok: t.jsonOf('CameraState'),
    redirect: 'A browser goes to the camera page',
  }),
  'POST /camera/photo': change('Takes a photo', { created: t.jsonOf('Photo', PHOTO), fails: [504] }),
  'GET /camera/photos': read('All photos, newest first', {
    ok: t.json(t.record<{ photos: Photo[] }>({ photos: t.refs('Photo') }), { photos: [PHOTO] }),
  }),
  'GET /camera/photos/:name': read('One photo', {
    ...jpeg,
    query: { download: { ...zeroOrOne, description: '1: as an attachment' } },
  }),
  'GET /camera/photos/:name/thumbnail': read('A thumbnail', { ...jpeg }),
  'DELETE /camera/photos/:name': change('Deletes a photo', { ok: t.done }),
  'POST /camera/photos/:name/delete': change('The same, for forms', { redirect: 'To the camera page' }),
});
