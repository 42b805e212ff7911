import type { Cancel } from '../shared/ports/clock.js';
import type { CameraScene } from '../simulator/camera/scene.js';
import type { BlackBox, Discovery, Pruner } from '../system/index.js';
import { CART_MODULES, type CartModules } from './cart-modules.js';
import { countLosses, openAlarmEvents, openAlarms, pruneAlarms } from './composition/alarms.js';
import { openDrives } from './composition/approach.js';
import { openBeaconReports, openBeacons, openFloorPlan } from './composition/beacons.js';
import { startRecorder } from './composition/black-box.js';
import { openCamera } from './composition/camera.js';
import { openDiscovery } from './composition/discovery.js';
import { openFirmwareUpdate } from './composition/firmware.js';
import { openFirstRun } from './composition/first-run.js';
import { openBackupSchedule, openGatewayBackups } from './composition/gateway-backups.js';
import { openGatewayRestore } from './composition/gateway-restore.js';
import { openCalibration, openDetector } from './composition/navigation.js';
import { openRuns } from './composition/runs.js';
import { openShop, pruneUnpaid } from './composition/shop.js';
import { enforceZones, openSitePlan, openZoneFrame, sharePlan } from './composition/site.js';
import { reportToSupervisor } from './composition/supervision.js';
import { openTrend } from './composition/trend.js';
import { openUpdates } from './composition/updates.js';
import { openMetrics } from './metrics/metrics.js';
import type { ModuleList } from './module-list.js';
import { openScene } from './simulation/scene.js';
import type { AppModules } from './web/app.js';
import { Https } from './web/https.js';
import { type HttpServer, openServer } from './web/server.js';

export interface Modules extends CartModules, AppModules {
  scene: CameraScene;
  unpaidPruner: Pruner;
  alarmPruner: Pruner;
  alarmEvents: Cancel;
  recorder: BlackBox;
  server: HttpServer;
  supervision: Cancel;
  discovery: Discovery | undefined;
}

/** The whole gateway, in the order of opening. */
export const MODULES: ModuleList<Modules> = CART_MODULES.add('scene', openScene)
  .add('floorPlan', openFloorPlan)
  .add('beacons', openBeacons, (beacons) => beacons.close())
  .add('beaconReports', openBeaconReports, (reports) => reports.close())
  .add('sitePlan', openSitePlan, (sitePlan) => sitePlan.close())
  .add('zoneEnforcement', enforceZones, (cancel) => cancel())
  .add('zoneFrame', openZoneFrame)
  .add('planDistribution', sharePlan, (cancel) => cancel())
  .add('shop', openShop, ({ shop }) => shop.close())
  .add('unpaidPruner', pruneUnpaid, (pruner) => pruner.stop())
  .add('camera', openCamera, (camera) => camera.close())
  .add('detector', openDetector, (detector) => detector.close())
  .add('calibration', openCalibration, (calibration) => calibration.close())
  .add('drives', openDrives, ({ approach }) => approach.close())
  .add('siteRuns', openRuns, ({ close }) => close())
  .add('gatewayBackups', openGatewayBackups, (backups) => backups.close())
  .add('checklist', openFirstRun, (checklist) => checklist.close())
  .add('backupSchedule', openBackupSchedule, (schedule) => schedule.close())
  .add('firmwareUpdate', openFirmwareUpdate, (update) => update.close())
  .add('alarms', openAlarms, (alarms) => alarms.close())
  .add('alarmPruner', pruneAlarms, (pruner) => pruner.stop())
  .add('alarmEvents', openAlarmEvents, (cancel) => cancel())
  .add('losses', countLosses, (losses) => losses.close())
  .add('recorder', startRecorder, (recorder) => recorder.close())
  .add('trend', openTrend, (trend) => trend.close())
  .add('gatewayRestore', openGatewayRestore, (restore) => restore.close())
  .add('updates', openUpdates, (updates) => updates.close())
  .add('scrape', openMetrics)
  .add(
    'https',
    (context) => new Https(context),
    (https) => https.close(),
  )
  .add('server', openServer, (server) => server.close())
  .add('supervision', reportToSupervisor, (cancel) => cancel())
  // The start does not wait for the broker, because driving does not need it and its library is slow to load.
  .add('brokerStart', (_context, { mqtt }) => void mqtt.broker.open())
  .add('discovery', openDiscovery, (discovery) => discovery?.close());
