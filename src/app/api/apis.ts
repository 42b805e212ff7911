import { accessApi, loginApi } from '../../access/http/openapi.js';
import { alarmApi } from '../../alarms/http/openapi.js';
import { beaconApi, mapApi } from '../../beacons/http/openapi.js';
import { cameraApi } from '../../camera/http/openapi.js';
import { firmwareApi } from '../../carts/http/firmware-openapi.js';
import { commandApi, commissioningApi, eventsApi, simulatorApi } from '../../carts/http/openapi.js';
import { docsApi } from '../../console/docs/routes.js';
import { appApi } from '../../console/layout/app-routes.js';
import { isDevelopment, styleguideApi } from '../../console/styleguide/routes.js';
import { languageApi } from '../../http/language.js';
import type { Api } from '../../http/openapi/types.js';
import { assetsApi } from '../../http/server/assets.js';
import { approachApi } from '../../navigation/http/approach-openapi.js';
import { calibrationApi } from '../../navigation/http/calibration-openapi.js';
import { locationApi, markerApi } from '../../navigation/http/openapi.js';
import { settingsApi } from '../../settings/http/openapi.js';
import { shopApi, shopPagesApi } from '../../shop/http/openapi.js';
import { firstRunApi } from '../../system/http/first-run-routes.js';
import { historyApi } from '../../system/http/history/openapi.js';
import { backupApi, healthApi, systemApi } from '../../system/http/openapi.js';
import { tlsApi } from '../../system/http/tls-openapi.js';

export const APIS: readonly Api[] = [
  commandApi,
  eventsApi,
  beaconApi,
  mapApi,
  markerApi,
  locationApi,
  approachApi,
  calibrationApi,
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
  simulatorApi,
  docsApi,
  assetsApi,
  appApi,
  ...(isDevelopment ? [styleguideApi] : []),
];
