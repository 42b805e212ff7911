import type { Request } from 'express';
import type { Access } from '../access/index.js';
import { type Alarms, channelsPage } from '../alarms/index.js';
import type { BackupSchedule, GatewayBackups, GatewayRestore } from '../backups/index.js';
import {
  type ActiveDrivers,
  assumedDecelMmps2,
  type CommandDispatcher,
  type Commissioning,
  commissioningPage,
  type DrivePage,
  drivePage,
  type FirmwareUpdate,
  firmwarePage,
  fleetPage,
  LISTED_COUNT,
  stopFailureTitle,
  unitsFingerprint,
} from '../carts/index.js';
import type { HttpFailure } from '../http/errors.js';
import { safeNext } from '../http/guard/origin.js';
import { isAdmin, visitorOf } from '../http/guard/principal.js';
import { inLanguageOf } from '../http/language.js';
import { isStopRequest } from '../http/server/route-table.js';
import { t } from '../i18n/page-text.js';
import { calibrationPage, markersPage } from '../navigation/index.js';
import { type SettingsService, settingsSavedPage, settingsSchema } from '../settings/index.js';
import type { BackupManager } from '../shared/ports/backups.js';
import type { Store } from '../shared/ports/store.js';
import type { Supervisor } from '../shared/ports/supervisor.js';
import { type PlanSharing, unsuitability } from '../site/index.js';
import {
  entriesPage,
  type FirstRun,
  firstRunPage,
  type IncidentStore,
  type LogRing,
  logViewOf,
  type SystemOutcome,
  type SystemState,
  setupRestorePage,
  statisticsPage,
  systemPage,
  type TlsView,
  tlsPage,
} from '../system/index.js';
import { updatePage } from '../updates/index.js';
import { addAccessPages } from './access/pages.js';
import { channelsPanel, subscriptionPanel } from './alarms/panels.js';
import { calibrationContext } from './calibration/context.js';
import { CAMERA_SECTIONS, cameraContext, cameraPage } from './camera/routes.js';
import { commissioningContext } from './commissioning/context.js';
import { motionRules } from './drive/command-form.js';
import { indexContext } from './drive/drive-page.js';
import { firmwareContext } from './firmware/context.js';
import { checklist, firstRunContext } from './first-run/context.js';
import { fleetContext } from './fleet/context.js';
import { entriesContext, statisticsContext } from './history/page.js';
import { offlinePage } from './layout/app-routes.js';
import { errorContext, errorPageOf, type LayoutData } from './layout/context.js';
import { templateDrawings } from './layout/drawings.js';
import { layoutContext } from './layout/layout-context.js';
import type { Pages } from './layout/pages.js';
import { cartNamed, referringCart, requestedCart } from './layout/selected-cart.js';
import { mapContext } from './map/context.js';
import { mapPage } from './map/routes.js';
import { markersContext } from './markers/context.js';
import { settingsForm } from './settings/form.js';
import { settingsEtag } from './settings/views.js';
import { addShopPages } from './shop/routes.js';
import { systemContext } from './system/context.js';
import { gatewayRestoreContext } from './system/gateway-restore.js';
import { setupRestoreContext } from './system/setup-restore.js';
import { tlsContext } from './tls/context.js';
import { updateContext } from './update/context.js';

export interface ViewDeps {
  settings: SettingsService;
  dispatcher: CommandDispatcher;
  drivers: ActiveDrivers;
  commissioning: Commissioning;
  firstRun: FirstRun;
  firmware: FirmwareUpdate;
  backups: BackupManager;
  gatewayBackups: Pick<GatewayBackups, 'list' | 'hasUsbStick'>;
  backupSchedule: Pick<BackupSchedule, 'view'>;
  boxes: IncidentStore;
  gatewayRestore: Pick<GatewayRestore, 'view' | 'undone'>;
  alarms: Alarms;
  https: { view: () => TlsView };
  access: Pick<Access, 'users' | 'sessions' | 'factor'>;
  logRing: LogRing;
  store: Pick<Store, 'status'>;
  supervisor: Pick<Supervisor, 'restartCommand'>;
  planSharing: Pick<PlanSharing, 'editRefusal'>;
  layout: () => LayoutData;
}

/** Registers the renderer of every page of the console. */
export function openConsole(deps: ViewDeps, pages: Pages, state: () => SystemState) {
  const { access, alarms, dispatcher, drivers, settings } = deps;
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
    const visitor = visitorOf(req);
    return {
      ...data,
      selectedID,
      ownMoves: visitor ? drivers.list(visitor.actor) : [],
      unknownCart: selectedID === undefined ? requested : '',
      visitor,
      here: req.method === 'GET' ? safeNext(req.originalUrl) : '/',
    };
  };
  const { drawings, add } = templateDrawings(pages, layout);

  const driveContext = (data: LayoutData, { outcome, entered }: DrivePage, req: Request): object => {
    const { limits, units, kinematics, presets } = settings.current;
    const commands = dispatcher.newest(LISTED_COUNT).map((command) => command.view());
    const meaning = unitsFingerprint(settings.current);
    const steps = isAdmin(req) ? deps.firstRun.view() : undefined;
    const { step } = deps.gatewayRestore.view() ?? {};
    return {
      ...indexContext(withFar(data, String(entered?.cartID ?? '')), {
        commands,
        limits,
        units,
        kinematics,
        presets,
        meaning,
        ...(outcome ? { outcome } : {}),
        ...(entered ? { entered } : {}),
      }),
      // Only an administrator can confirm it.
      isRestoreWaiting: isAdmin(req) && (step === 'trial' || step === 'waiting'),
      firstRun: steps && !steps.hidden && !steps.isComplete ? checklist(steps) : null,
    };
  };
  add(drivePage, 'drive/index', driveContext);
  add(settingsSavedPage, 'drive/index', driveContext);
  add(fleetPage, 'fleet/fleet', fleetContext);
  add(commissioningPage, 'commissioning/commissioning', (data, page) =>
    commissioningContext(data, page, settings.current),
  );
  add(firmwarePage, 'firmware/firmware', (data, page, req) =>
    firmwareContext(data, { ...page, isAdmin: isAdmin(req) }),
  );
  add(cameraPage, 'camera/cameraSettings', (data, page) => {
    const options = { ...page.retry, etag: settingsEtag(settings, page.retry), sections: CAMERA_SECTIONS };
    return cameraContext(data, page, settingsForm(settingsSchema, settings.masked(), options));
  });
  const renderError = (req: Request, { status, body }: HttpFailure): string => {
    // After a failed stop, the error page must first state that carts may still be moving.
    const title = (isStopRequest(req) ? stopFailureTitle(req) : undefined) ?? body.error;
    const error = { ...errorPageOf({ status, body }), title };
    return inLanguageOf(req, () => pages.render('layout/error', errorContext(layout(req), error)));
  };
  const drawSystem = async (req: Request, outcome: SystemOutcome): Promise<string> => {
    const { commissioning, firmware, logRing } = deps;
    const forAdmins = isAdmin(req) ? await adminParts(deps) : {};
    const log = logViewOf(req, logRing);
    const boxes = await deps.boxes.list();
    return inLanguageOf(req, () =>
      pages.render(
        'system/system',
        systemContext(layout(req), {
          state: state(),
          store: deps.store.status(),
          tls: deps.https.view(),
          boxes,
          results: commissioning.results,
          log,
          firmware: firmware.view(),
          restartCommand: deps.supervisor.restartCommand,
          gatewayRestore: { view: deps.gatewayRestore.view(), undone: deps.gatewayRestore.undone },
          ...forAdmins,
          ...outcome,
        }),
      ),
    );
  };
  drawings.add(systemPage, drawSystem);
  drawings.add(channelsPage, drawSystem);
  add(tlsPage, 'tls/tls', (data, page, req) => tlsContext(data, { ...page, isAdmin: isAdmin(req) }));
  add(updatePage, 'update/update', updateContext);
  add(firstRunPage, 'first-run/page', firstRunContext);
  add(offlinePage, 'layout/offline', () => layoutContext(deps.layout(), { title: t('Offline') }));
  add(mapPage, 'map/beacons', (data, page) => {
    const { kinematics, limits } = settings.current;
    const decelMmps2 = assumedDecelMmps2(limits.decelMmps2, deps.commissioning.brakeTests);
    return mapContext(data, page, {
      driveTo: motionRules({ ...settings.current, meaning: unitsFingerprint(settings.current) }),
      cart: { footprint: kinematics.footprint, decelMmps2 },
      unsuitable: unsuitability(settings.current),
      editRefusal: deps.planSharing.editRefusal,
    });
  });
  const { gatewayRestore } = deps;
  const { restartCommand } = deps.supervisor;
  addAccessPages(add, {
    access,
    alarmPanel: (user) => subscriptionPanel(alarms, user),
    restore: () => {
      const notice = gatewayRestoreContext({ view: gatewayRestore.view(), undone: gatewayRestore.undone });
      return notice && { ...notice, restartCommand: restartCommand || null };
    },
  });
  add(setupRestorePage, 'system/setup-restore', (data, page) =>
    setupRestoreContext(data, page, restartCommand),
  );
  add(entriesPage, 'history/entries', entriesContext);
  add(statisticsPage, 'history/statistics', statisticsContext);
  add(markersPage, 'markers/markers', markersContext);
  add(calibrationPage, 'calibration/calibration', calibrationContext);
  addShopPages(add);
  return { drawings, layout, renderError };
}

async function adminParts({
  backups,
  gatewayBackups,
  backupSchedule,
  alarms,
  access,
}: Pick<ViewDeps, 'backups' | 'gatewayBackups' | 'backupSchedule' | 'alarms' | 'access'>) {
  const [found, hasUsbStick] = await Promise.all([gatewayBackups.list(), gatewayBackups.hasUsbStick()]);
  return {
    gatewayBackups: found,
    hasUsbStick,
    schedule: backupSchedule.view(),
    backups: backups.list(),
    uploads: backups.uploads(),
    chosen: backups.chosen(),
    users: access.users.list(),
    alarms: () => channelsPanel(alarms),
  };
}
