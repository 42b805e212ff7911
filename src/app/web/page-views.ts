import type { Request } from 'express';
import type { Access } from '../../access/access.js';
import type { Alarms } from '../../alarms/alarms.js';
import type { MapRoutesDeps } from '../../beacons/http/map-routes.js';
import { CAMERA_SECTIONS, type CameraPage, cameraContext } from '../../camera/http/page-routes.js';
import type { ActiveDrivers } from '../../carts/command/active-drivers.js';
import type { CommandDispatcher } from '../../carts/command/dispatcher.js';
import { LISTED_COUNT } from '../../carts/command/registry.js';
import { unitsFingerprint } from '../../carts/command/units-fingerprint.js';
import type { Commissioning, CommissioningStep } from '../../carts/commissioning/commissioning.js';
import type { FirmwareUpdate } from '../../carts/firmware/firmware-update.js';
import { commissioningContext } from '../../carts/http/commissioning-routes.js';
import type { FirmwareRoutesDeps } from '../../carts/http/firmware-routes.js';
import { stopFailureTitle } from '../../carts/http/stop-answers.js';
import { channelsPanel } from '../../console/alarms/panels.js';
import { motionRules } from '../../console/drive/command-form.js';
import { type CommandOutcome, indexContext } from '../../console/drive/drive-page.js';
import { firmwareContext } from '../../console/firmware/context.js';
import { errorContext, type LayoutData } from '../../console/layout/context.js';
import { layoutContext } from '../../console/layout/layout-context.js';
import type { Pages } from '../../console/layout/pages.js';
import { cartNamed, referringCart, requestedCart } from '../../console/layout/selected-cart.js';
import { mapContext } from '../../console/map/map-context.js';
import { settingsForm } from '../../console/settings/form.js';
import { settingsEtag } from '../../console/settings/views.js';
import { type SystemState, systemContext } from '../../console/system/context.js';
import { tlsContext } from '../../console/tls/context.js';
import type { HttpFailure } from '../../http/errors.js';
import { safeNext } from '../../http/guard/origin.js';
import { visitorOf } from '../../http/guard/principal.js';
import { inLanguageOf } from '../../http/language.js';
import { isStopRequest } from '../../http/server/route-table.js';
import { t } from '../../i18n/page-text.js';
import type { SettingsService } from '../../settings/document/settings.js';
import { settingsSchema } from '../../settings/schema/schema.js';
import type { BackupStore } from '../../shared/ports/backups.js';
import type { Store } from '../../shared/ports/store.js';
import type { Supervisor } from '../../shared/ports/supervisor.js';
import type { FirstRun } from '../../system/first-run/first-run.js';
import type { LogRing } from '../../system/health/log-ring.js';
import type { SystemOutcome } from '../../system/http/archive-routes.js';
import { checklist, firstRunContext } from '../../system/http/first-run-routes.js';
import { logViewOf } from '../../system/http/log-query.js';
import type { TlsRoutesDeps } from '../../system/http/tls-routes.js';
import type { IncidentStore } from '../../system/incidents/incident-store.js';
import type { TlsView } from '../../system/tls/tls-view.js';

export interface ViewDeps {
  settings: SettingsService;
  dispatcher: CommandDispatcher;
  drivers: ActiveDrivers;
  commissioning: Commissioning;
  firstRun: FirstRun;
  firmware: FirmwareUpdate;
  backups: BackupStore;
  boxes: IncidentStore;
  alarms: Alarms;
  https: { view: () => TlsView };
  access: Pick<Access, 'users'>;
  logRing: LogRing;
  store: Pick<Store, 'status'>;
  supervisor: Pick<Supervisor, 'restartCommand'>;
  layout: () => LayoutData;
}

export function pageViews(deps: ViewDeps, pages: Pages, state: () => SystemState) {
  const { dispatcher, drivers, settings } = deps;
  /** Adds the selected cart, which the layout data of a large fleet can omit. */
  const withFar = (data: LayoutData, text: string): LayoutData => {
    if (text === '' || cartNamed(data.carts, text)) return data;
    const cart = cartNamed(dispatcher.carts(), text);
    return cart ? { ...data, carts: [...data.carts, cart] } : data;
  };
  const layout = (req: Request): LayoutData => {
    const requested = requestedCart(req);
    const wanted = requested || referringCart(req);
    const data = withFar(deps.layout(), wanted);
    const selectedID = cartNamed(data.carts, wanted)?.cartID;
    return {
      ...data,
      selectedID,
      moves: drivers.list(),
      unknownCart: selectedID === undefined ? requested : '',
      visitor: visitorOf(req),
      here: req.method === 'GET' ? safeNext(req.originalUrl) : '/',
    };
  };
  const renderIndex = (req: Request, outcome?: CommandOutcome, entered?: Record<string, unknown>): string => {
    const { limits, units, kinematics, presets } = settings.current;
    const commands = dispatcher.newest(LISTED_COUNT).map((command) => command.view());
    const meaning = unitsFingerprint(settings.current);
    const input = { commands, limits, units, kinematics, presets, meaning };
    const shown = { ...input, ...(outcome ? { outcome } : {}), ...(entered ? { entered } : {}) };
    const seesSteps = visitorOf(req)?.role === 'admin';
    const steps = seesSteps ? deps.firstRun.view() : undefined;
    return inLanguageOf(req, () =>
      pages.render('drive/index', {
        ...indexContext(withFar(layout(req), String(entered?.cartID ?? '')), shown),
        firstRun: steps && !steps.hidden && !steps.isComplete ? checklist(steps) : null,
      }),
    );
  };
  const renderCamera = (req: Request, page: CameraPage): string =>
    inLanguageOf(req, () => {
      const options = { ...page.retry, etag: settingsEtag(settings, page.retry), sections: CAMERA_SECTIONS };
      const form = settingsForm(settingsSchema, settings.masked(), options);
      return pages.render('camera/cameraSettings', cameraContext(layout(req), page, form));
    });
  const renderError = (req: Request, { status, body }: HttpFailure): string => {
    const { error: usual, message, code, hint } = body;
    // An error page must show first that carts may still be moving.
    const title = (isStopRequest(req) ? stopFailureTitle(req) : undefined) ?? usual;
    const error = { status, title, message, code, ...(hint ? { hint } : {}) };
    return inLanguageOf(req, () => pages.render('layout/error', errorContext(layout(req), error)));
  };
  const renderCommissioning = (req: Request, step?: CommissioningStep): string => {
    const tour = { results: deps.commissioning.results, settings: settings.current, step };
    return inLanguageOf(req, () =>
      pages.render('commissioning/commissioning', commissioningContext(layout(req), tour)),
    );
  };
  const renderSystem = async (req: Request, outcome: SystemOutcome = {}) => {
    const { commissioning, boxes, firmware, logRing } = deps;
    const forAdmins = visitorOf(req)?.role === 'admin' ? adminParts(deps) : {};
    const log = logViewOf(req, logRing);
    const tls = deps.https.view();
    const kept = {
      store: deps.store.status(),
      tls,
      boxes: await boxes.list(),
      results: commissioning.results,
      log,
      firmware: firmware.view(),
      restartCommand: deps.supervisor.restartCommand,
      ...forAdmins,
    };
    return inLanguageOf(req, () =>
      pages.render('system/system', systemContext(layout(req), { state: state(), ...kept, ...outcome })),
    );
  };
  const renderTls: TlsRoutesDeps['renderTls'] = (req, page) =>
    inLanguageOf(req, () => {
      const isAdmin = visitorOf(req)?.role === 'admin';
      return pages.render('tls/tls', tlsContext(layout(req), { ...page, isAdmin }));
    });
  const renderFirmware: FirmwareRoutesDeps['renderFirmware'] = (req, notice) =>
    inLanguageOf(req, () => {
      const isAdmin = visitorOf(req)?.role === 'admin';
      const page = { view: deps.firmware.view(), isAdmin, notice };
      return pages.render('firmware/firmware', firmwareContext(layout(req), page));
    });
  const renderFirstRun = (req: Request): string =>
    inLanguageOf(req, () =>
      pages.render('first-run/page', firstRunContext(layout(req), deps.firstRun.view())),
    );
  const renderOffline = (req: Request): string =>
    inLanguageOf(req, () =>
      pages.render('layout/offline', layoutContext(deps.layout(), { title: t`Offline` })),
    );
  const renderMap: MapRoutesDeps['renderMap'] = (req, page) => {
    const rules = motionRules({ ...settings.current, meaning: unitsFingerprint(settings.current) });
    return inLanguageOf(req, () => pages.render('map/beacons', mapContext(layout(req), page, rules)));
  };
  return {
    layout,
    renderIndex,
    renderCamera,
    renderError,
    renderCommissioning,
    renderSystem,
    renderTls,
    renderFirmware,
    renderFirstRun,
    renderOffline,
    renderMap,
  };
}

function adminParts({ backups, alarms, access }: Pick<ViewDeps, 'backups' | 'alarms' | 'access'>) {
  return {
    backups: backups.list(),
    uploads: backups.uploads(),
    chosen: backups.chosen(),
    users: access.users.list(),
    alarms: () => channelsPanel(alarms),
  };
}
