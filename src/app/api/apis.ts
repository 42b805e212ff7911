import { accessApi, loginApi } from '../../access/index.js';
import { alarmApi } from '../../alarms/index.js';
import { beaconApi, mapApi } from '../../beacons/index.js';
import { cameraApi } from '../../camera/index.js';
import { commandApi, commissioningApi, eventsApi, firmwareApi, simulatorApi } from '../../carts/index.js';
import { docsApi } from '../../console/docs/routes.js';
import { appApi } from '../../console/layout/app-routes.js';
import { isDevelopment, styleguideApi } from '../../console/styleguide/routes.js';
import { languageApi } from '../../http/language.js';
import type { Api } from '../../http/openapi/types.js';
import { assetsApi } from '../../http/server/assets.js';
import { approachApi, calibrationApi, locationApi, markerApi } from '../../navigation/index.js';
import { planApi } from '../../plan/index.js';
import { settingsApi } from '../../settings/index.js';
import { shopApi, shopPagesApi } from '../../shop/index.js';
import { runApi, siteApi } from '../../site/index.js';
import {
  backupApi,
  firstRunApi,
  gatewayBackupApi,
  healthApi,
  historyApi,
  setupRestoreApi,
  systemApi,
  tlsApi,
} from '../../system/index.js';
import { updateApi } from '../../updates/index.js';

export const APIS: readonly Api[] = [
  commandApi,
  eventsApi,
  beaconApi,
  mapApi,
  planApi,
  markerApi,
  locationApi,
  approachApi,
  calibrationApi,
  siteApi,
  runApi,
  shopApi,
  shopPagesApi,
  cameraApi,
  settingsApi,
  loginApi,
  languageApi,
  accessApi,
  historyApi,
  healthApi,
  systemApi,
  alarmApi,
  tlsApi,
  firmwareApi,
  commissioningApi,
  firstRunApi,
  backupApi,
  gatewayBackupApi,
  setupRestoreApi,
  updateApi,
  simulatorApi,
  docsApi,
  assetsApi,
  appApi,
  ...(isDevelopment ? [styleguideApi] : []),
];
