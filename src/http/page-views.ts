import type { Request } from 'express';
import type { Desk } from '../carts/desk.js';
import { meaningOf } from '../carts/meaning.js';
import type { Moves } from '../carts/moves.js';
import type { BoxShelf } from '../ops/black-box-shelf.js';
import type { Commissioning, Step } from '../ops/commissioning.js';
import type { BackupShelf } from '../ports.js';
import { settingsSchema } from '../settings/schema.js';
import type { SettingsRoom } from '../settings/settings.js';
import { safeNext } from './access-next.js';
import { visitorOf } from './access-principal.js';
import { type CameraPage, cameraContext } from './camera-context.js';
import { CAMERA_SECTIONS } from './camera-page-routes.js';
import { commissioningContext } from './commissioning-context.js';
import { errorContext, type FrameData, indexContext, type Outcome } from './context.js';
import type { HttpFailure } from './errors.js';
import { inLanguageOf } from './language-routes.js';
import { mapContext } from './map-context.js';
import type { MapRoutesDeps } from './map-routes.js';
import type { Pages } from './pages.js';
import { askedCart, cartBefore, cartNamed } from './selected-cart.js';
import { settingsForm } from './settings-form.js';
import type { Shown } from './system-attempt.js';
import { type SystemState, systemContext } from './system-context.js';

const COMMANDS_SHOWN = 20;

/** The rooms that pages show. */
export interface ViewDeps {
  settings: SettingsRoom;
  desk: Desk;
  moves: Moves;
  commissioning: Commissioning;
  backups: BackupShelf;
  boxes: BoxShelf;
  /** What every page knows. */
  frame: () => FrameData;
}

/** The pages as functions of the request: what each one shows, gathered from the rooms. */
export function pageViews(deps: ViewDeps, pages: Pages, state: () => SystemState) {
  const { desk, moves, settings } = deps;
  /** A page about one cart of a large fleet knows that one beside those that every page knows. */
  const withFar = (data: FrameData, text: string): FrameData => {
    if (text === '' || cartNamed(data.carts, text)) return data;
    const cart = cartNamed(desk.carts(), text);
    return cart ? { ...data, carts: [...data.carts, cart] } : data;
  };
  const frame = (req: Request): FrameData => {
    const asked = askedCart(req);
    const wanted = asked || cartBefore(req);
    const data = withFar(deps.frame(), wanted);
    const selectedID = cartNamed(data.carts, wanted)?.cartID;
    return {
      ...{ ...data, selectedID, moves: moves.list() },
      unknownCart: selectedID === undefined ? asked : '',
      visitor: visitorOf(req),
      here: req.method === 'GET' ? safeNext(req.originalUrl) : '/',
    };
  };
  const renderIndex = (req: Request, outcome?: Outcome, entered?: Record<string, unknown>): string => {
    const { limits, units, kinematics, presets } = settings.current;
    const commands = desk.newest(COMMANDS_SHOWN).map((command) => command.view());
    const meaning = meaningOf(settings.current);
    const input = { commands, limits, units, kinematics, presets, meaning };
    const shown = { ...input, ...(outcome ? { outcome } : {}), ...(entered ? { entered } : {}) };
    return inLanguageOf(req, () =>
      pages.render('index', indexContext(withFar(frame(req), String(entered?.cartID ?? '')), shown)),
    );
  };
  const renderCamera = (req: Request, page: CameraPage): string =>
    inLanguageOf(req, () => {
      const options = { ...page.retry, sections: CAMERA_SECTIONS };
      const form = settingsForm(settingsSchema, settings.masked(), options);
      return pages.render('cameraSettings', cameraContext(frame(req), page, form));
    });
  const renderError = (req: Request, { status, body }: HttpFailure): string => {
    const { error: title, message, code, hint } = body;
    const error = { status, title, message, code, ...(hint ? { hint } : {}) };
    return inLanguageOf(req, () => pages.render('error', errorContext(frame(req), error)));
  };
  const renderTour = (req: Request, step?: Step): string => {
    const tour = { results: deps.commissioning.results, settings: settings.current, step };
    return inLanguageOf(req, () => pages.render('commissioning', commissioningContext(frame(req), tour)));
  };
  const renderSystem = async (req: Request, shown: Shown = {}) => {
    const forAdmins =
      visitorOf(req)?.role === 'admin' ? { backups: deps.backups.list(), chosen: deps.backups.chosen() } : {};
    const kept = { boxes: await deps.boxes.list(), results: deps.commissioning.results, ...forAdmins };
    return inLanguageOf(req, () =>
      pages.render('system', systemContext(frame(req), { state: state(), ...kept, ...shown })),
    );
  };
  const renderMap: MapRoutesDeps['renderMap'] = (req, page) =>
    inLanguageOf(req, () => pages.render('beacons', mapContext(frame(req), page)));
  return { frame, renderIndex, renderCamera, renderError, renderTour, renderSystem, renderMap };
}
