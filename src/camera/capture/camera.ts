import type { Text } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Gallery, type GalleryOptions } from '../photos/gallery.js';
import { PhotoService } from '../photos/photo-service.js';
import { Broadcaster } from '../streaming/broadcaster.js';
import { PlaceholderCache } from '../streaming/placeholder.js';
import type { ViewerState } from '../streaming/viewer.js';
import { type CameraStatus, cameraStatus, hasFault } from './camera-status.js';
import type { CameraPhase, CameraView, ImageSource } from './model.js';

interface CameraOptions {
  source: ImageSource;
  photosDir: string;
  clock: Clock;
  log: Log;
  gallery?: Pick<GalleryOptions, 'quota' | 'reserveBytes'>;
}

export interface CameraState extends CameraStatus {
  phase: CameraPhase;
  simulated: boolean;
  fault: CameraView['fault'] | null;
  width: number;
  height: number;
  framerate: number;
  newest: number;
  ageMs: number | null;
  /** Time in ms until the next retry; null if no retry is due. */
  retryInMs: number | null;
  viewers: number;
  streams: ViewerState[];
}

export class Camera {
  readonly source: ImageSource;
  readonly broadcaster: Broadcaster;
  readonly gallery: Gallery;
  readonly photoService: PhotoService;
  readonly #clock: Clock;

  private constructor({ source, clock }: CameraOptions, gallery: Gallery) {
    this.source = source;
    this.#clock = clock;
    this.broadcaster = new Broadcaster({ source, placeholders: new PlaceholderCache(), clock });
    this.gallery = gallery;
    this.photoService = new PhotoService({ source, gallery, broadcaster: this.broadcaster, clock });
  }

  static async open(options: CameraOptions): Promise<Camera> {
    const { photosDir: dir, clock, log, gallery } = options;
    return new Camera(options, await Gallery.open({ dir, clock, log, ...gallery }));
  }

  status(): CameraStatus & { simulated: boolean } {
    const view = this.source.view();
    return { ...cameraStatus(view), simulated: view.simulated };
  }

  fault(): Text {
    const view = this.source.view();
    return hasFault(view) ? cameraStatus(view).reason : '';
  }

  /** Returns why the images of the running camera must not be used; empty if they may be used. */
  imageFault(): Text {
    return this.source.view().phase === 'streaming' ? this.fault() : '';
  }

  state(): CameraState {
    const { fault = null, retryAtMs, ...view } = this.source.view();
    const now = this.#clock.now();
    const newest = this.source.newest();
    return {
      ...view,
      ...cameraStatus(this.source.view()),
      fault,
      ageMs: newest ? Math.round(now - newest.atMs) : null,
      retryInMs: retryAtMs === undefined ? null : Math.max(0, Math.round(retryAtMs - now)),
      viewers: this.broadcaster.viewers,
      streams: this.broadcaster.streams(),
    };
  }

  /** Disconnects all viewers first, because they keep the camera running. */
  async close(): Promise<void> {
    this.broadcaster.close();
    await this.source.close();
  }
}
