import { convexHull, encloses } from '../../shared/convex-hull.js';
import type { Fault } from '../../shared/errors.js';
import { isHost, isHttpUrl } from '../../shared/validation/hosts.js';
import { settingsMessage } from '../messages.js';
import type { CameraSection, Settings } from './schema.js';

/**
 * Minimum of `remoteHeartbeatMs` unless the setting is 0; gateways publish an MQTT heartbeat every 200 ms.
 */
const SHORTEST_HEARTBEAT_MS = 500;

/** Checks rules that involve several settings, and hosts and URLs. The settings must match the schema. */
export function crossFaults(settings: Settings): Fault[] {
  const { mqtt, carts, camera, limits, alarms } = settings;
  const faults: Fault[] = [
    ...cameraFaults(camera),
    ...mailFaults(alarms),
    ...hostFaults(settings),
    ...footprintFaults(settings),
  ];
  if (mqtt.broker === 'external' && mqtt.port === 0) {
    faults.push({ path: '/mqtt/port', message: settingsMessage('rules.external-port') });
  }
  if (mqtt.broker === 'embedded' && mqtt.protocol === 'mqtts') {
    faults.push({ path: '/mqtt/protocol', message: settingsMessage('rules.embedded-protocol') });
  }
  if (limits.remoteHeartbeatMs > 0 && limits.remoteHeartbeatMs < SHORTEST_HEARTBEAT_MS) {
    const message = settingsMessage('rules.heartbeat', { ms: SHORTEST_HEARTBEAT_MS });
    faults.push({ path: '/limits/remoteHeartbeatMs', message });
  }
  const seen = new Set<number>();
  for (const [at, { cartID }] of carts.entries()) {
    if (seen.has(cartID))
      faults.push({ path: `/carts/${at}/cartID`, message: settingsMessage('rules.cart-twice', { cartID }) });
    seen.add(cartID);
  }
  return faults;
}

function footprintFaults({ kinematics: { footprint } }: Settings): Fault[] {
  if (footprint.length === 0) return [];
  const path = '/kinematics/footprint';
  if (footprint.length < 3) return [{ path, message: settingsMessage('rules.footprint-corners') }];
  const hull = convexHull(footprint.map(({ xMm, yMm }) => [xMm, yMm]));
  if (hull.length < 3) return [{ path, message: settingsMessage('rules.footprint-line') }];
  return encloses(hull, [0, 0]) ? [] : [{ path, message: settingsMessage('rules.footprint-axle') }];
}

function cameraFaults({ roi, awbGains }: CameraSection): Fault[] {
  const faults: Fault[] = [];
  for (const [side, edge] of [
    ['width', 'x'],
    ['height', 'y'],
  ] as const) {
    const limit = Number((1 - roi[edge]).toFixed(6));
    if (roi[side] > limit) {
      const message = settingsMessage('rules.crop', { limit, edge, side });
      faults.push({ path: `/camera/roi/${side}`, message });
    }
  }
  if ((awbGains.red === null) !== (awbGains.blue === null)) {
    const empty = awbGains.red === null ? 'red' : 'blue';
    faults.push({ path: `/camera/awbGains/${empty}`, message: settingsMessage('rules.both-gains') });
  }
  return faults;
}

/** The schema cannot express which hosts and ports are valid in a URL. */
function hostFaults({ mqtt, alarms, beacons }: Settings): Fault[] {
  const faults: Fault[] = [];
  for (const [path, host] of [
    ['/mqtt/host', mqtt.host],
    ['/alarms/mail/host', alarms.mail.host],
  ] as const) {
    if (host !== '' && !isHost(host)) faults.push({ path, message: settingsMessage('rules.host') });
  }
  const urls: (readonly [path: string, url: string])[] = alarms.webhook.urls.map((url, at) => [
    `/alarms/webhook/urls/${at}`,
    url,
  ]);
  if (beacons.tileUrl !== '') urls.push(['/beacons/tileUrl', beacons.tileUrl]);
  for (const [path, url] of urls) {
    if (!isHttpUrl(url)) faults.push({ path, message: settingsMessage('rules.url') });
  }
  return faults;
}

function mailFaults({ mail: { host, sender, username, tls } }: Settings['alarms']): Fault[] {
  if (host === '') return [];
  const faults: Fault[] = [];
  if (sender === '') faults.push({ path: '/alarms/mail/sender', message: settingsMessage('rules.sender') });
  if (username !== '' && tls === 'none') {
    faults.push({ path: '/alarms/mail/tls', message: settingsMessage('rules.clear-password') });
  }
  return faults;
}
