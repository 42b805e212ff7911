// Other folders import this module only through this file.

export { Camera, type CameraState } from './capture/camera.js';
export { hasFault } from './capture/camera-status.js';
export type { CameraPhase, ImageSource } from './capture/model.js';
export { CameraSource } from './capture/source.js';
export { cameraApi } from './http/openapi.js';
export { cameraLiveRoutes, cameraPhotoRoutes } from './http/routes.js';
export { cameraMessage } from './messages.js';
export type { Photo } from './photos/gallery.js';
