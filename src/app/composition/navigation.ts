import type { Camera } from '../../camera/index.js';
import type { Cart } from '../../carts/index.js';
import {
  Calibration,
  type CameraSetup,
  calibratedModel,
  DetectorHost,
  DetectorService,
  Localization,
  Markers,
} from '../../navigation/index.js';
import type { CameraSection } from '../../settings/index.js';
import { moduleUrl } from '../../shared/package-root.js';
import type { AppContext } from '../context.js';

/** The registered markers and the position of this gateway's cart. */
export interface Positioning {
  markers: Markers;
  localization: Localization;
}

/** Must be opened before the cart, because the cart's view contains the location. */
export function openPositioning({ store, settings, clock }: AppContext): Positioning {
  const markers = new Markers(store);
  const rules = () => {
    const { accuracy, mount } = settings.current.navigation;
    return { limits: accuracy, camera: mount };
  };
  return { markers, localization: new Localization({ markers, rules, clock }) };
}

/** Finds markers in camera images. The detector keeps the camera running. */
export function openDetector(
  { settings, clock, log }: AppContext,
  { camera, positioning }: { camera: Pick<Camera, 'source'>; positioning: Positioning },
): DetectorService {
  const { markers, localization } = positioning;
  const script = moduleUrl('app/detector-worker.js');
  const detector = new DetectorService({
    images: camera.source,
    openHost: () => new DetectorHost({ script, clock }),
    options: () => {
      const { navigation, camera: section } = settings.current;
      const sizesMm = Object.fromEntries(markers.list().map(({ id, sizeMm }) => [id, sizeMm]));
      return { camera: calibratedModel(navigation, cameraView(section)), sizesMm, otherSizeMm: null };
    },
    clock,
    log,
  });
  localization.useDetector(detector);
  return detector;
}

interface CalibrationModules {
  camera: Pick<Camera, 'source'>;
  detector: DetectorService;
  positioning: Pick<Positioning, 'markers'>;
  ownCart: { cart: Pick<Cart, 'busy'> };
}

export function openCalibration(
  { settings, clock }: AppContext,
  { camera, detector, positioning, ownCart }: CalibrationModules,
): Calibration {
  const isIdle = () => !ownCart.cart.busy;
  return new Calibration({
    detector,
    camera: () => camera.source.view(),
    markers: positioning.markers,
    clock,
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
