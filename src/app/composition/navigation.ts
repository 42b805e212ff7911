import {
  Calibration,
  type CameraCondition,
  type CameraSetup,
  calibratedModel,
  DetectorHost,
  DetectorService,
  Localization,
  Markers,
} from '../../navigation/index.js';
import type { CameraSection, Settings, SettingsService } from '../../settings/index.js';
import { moduleUrl } from '../../shared/package-root.js';
import type { CameraImages } from '../../shared/ports/camera.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { CoreServices } from '../core-services.js';

interface NavigationOptions {
  images: CameraImages;
  settings: { readonly current: Settings };
  markers: Markers;
  clock: Clock;
  log: Log;
}

/** Must be called before the cart is opened, because the cart's view contains the location. */
export function openLocalization({ closers, store, settings, clock }: CoreServices) {
  const markers = new Markers(store);
  closers.defer('markers', () => markers.close());
  const rules = () => {
    const { accuracy, mount } = settings.current.navigation;
    return { limits: accuracy, camera: mount };
  };
  const localization = new Localization({ markers, rules, clock });
  closers.defer('localization', () => localization.close());
  return { markers, localization };
}

export function openDetector({ images, settings, markers, clock, log }: NavigationOptions): DetectorService {
  const script = moduleUrl('app/detector-worker.js');
  return new DetectorService({
    images,
    openHost: () => new DetectorHost({ script, clock }),
    options: () => {
      const { navigation, camera } = settings.current;
      const sizesMm = Object.fromEntries(markers.list().map(({ id, sizeMm }) => [id, sizeMm]));
      return { camera: calibratedModel(navigation, cameraView(camera)), sizesMm, otherSizeMm: null };
    },
    clock,
    log,
  });
}

interface CalibrationOptions extends Pick<NavigationOptions, 'markers' | 'clock'> {
  detector: DetectorService;
  camera: () => CameraCondition;
  settings: Pick<SettingsService, 'current' | 'update'>;
  isIdle: () => boolean;
}

export function openCalibration({ settings, isIdle, ...options }: CalibrationOptions): Calibration {
  return new Calibration({
    ...options,
    settings: () => settings.current.navigation,
    view: () => cameraView(settings.current.camera),
    save: (navigation, by) => settings.update({ navigation }, { isIdle, by }),
  });
}

/** A calibration applies only to the same camera, image size, orientation and crop. */
function cameraView({
  mode,
  device,
  rotation,
  hflip,
  vflip,
  roi,
  width,
  height,
}: CameraSection): CameraSetup {
  const { x, y, width: share, height: shareOfHeight } = roi;
  const flips = `${hflip ? 'h' : ''}${vflip ? 'v' : ''}`;
  const crop = [x, y, share, shareOfHeight].join(' ');
  return { cameraId: `${mode} ${device}, rotation ${rotation}${flips}, crop ${crop}`, width, height };
}
