import type { Text } from '../../shared/messages/message.js';
import type { Clock, Log } from '../../shared/ports/ports.js';
import { Gallery, type GalleryOptions } from '../photos/gallery.js';
import { PhotoService } from '../photos/photo-service.js';
import { Broadcaster } from '../streaming/broadcaster.js';
import { StandIns } from '../streaming/placeholder-cache.js';
import type { ViewerState } from '../streaming/viewer.js';
import { type CameraSaid, cameraSaid, hasFault } from './labels.js';
import type { CameraPhase, CameraView, PictureSource } from './model.js';

interface CameraOptions {
  source: PictureSource;
  /** Where the photos are kept. */
  photosDir: string;
  clock: Clock;
  log: Log;
  gallery?: Pick<GalleryOptions, 'quota' | 'reserveBytes'>;
}

/** Everything about the camera at one moment: `GET /camera/state.json`. */
export interface CameraState extends CameraSaid {
  phase: CameraPhase;
  simulated: boolean;
  fault: CameraView['fault'] | null;
  width: number;
  height: number;
  framerate: number;
  /** The newest frame's number, and how old it is; null before the first. */
  newest: number;
  ageMs: number | null;
  /** Until the next try; null when none is due. */
  retryInMs: number | null;
  /** Streams and waiting pages. */
  viewers: number;
  streams: ViewerState[];
}

/** The camera as people use it: a live picture for many, photos, and the truth when there is none. */
export class Camera {
  readonly source: PictureSource;
  readonly broadcaster: Broadcaster;
  readonly gallery: Gallery;
  readonly photographer: PhotoService;
  readonly #clock: Clock;

  private constructor({ source, clock }: CameraOptions, gallery: Gallery) {
    this.source = source;
    this.#clock = clock;
    this.broadcaster = new Broadcaster({ source, standIns: new StandIns(), clock });
    this.gallery = gallery;
    this.photographer = new PhotoService({ source, gallery, broadcaster: this.broadcaster, clock });
  }

  static async open(options: CameraOptions): Promise<Camera> {
    const { photosDir: dir, clock, log, gallery } = options;
    return new Camera(options, await Gallery.open({ dir, clock, log, ...gallery }));
  }

  /** In a word and a sentence, for every page. */
  light(): CameraSaid & { simulated: boolean } {
    const view = this.source.view();
    return { ...cameraSaid(view), simulated: view.simulated };
  }

  /** What is wrong with it, as a sentence; empty when nothing is. */
  fault(): Text {
    const view = this.source.view();
    return hasFault(view) ? cameraSaid(view).reason : '';
  }

  state(): CameraState {
    const { fault = null, retryAtMs, ...view } = this.source.view();
    const now = this.#clock.now();
    const newest = this.source.newest();
    return {
      ...view,
      ...cameraSaid(this.source.view()),
      fault,
      ageMs: newest ? Math.round(now - newest.atMs) : null,
      retryInMs: retryAtMs === undefined ? null : Math.max(0, Math.round(retryAtMs - now)),
      viewers: this.broadcaster.viewers,
      streams: this.broadcaster.streams(),
    };
  }

  /** Drops every viewer first: they would keep the camera running. */
  async close(): Promise<void> {
    this.broadcaster.close();
    await this.source.close();
  }
}
