import type { CameraState } from '../../../../src/camera/capture/camera.js';
import type { Photo } from '../../../../src/camera/photos/gallery.js';
import type { CartView, CommandView, SafetyView } from '../../../../src/carts/command/model.js';
import type { LayoutData } from '../../../../src/console/layout/context.js';
import type { LightView } from '../../../../src/i18n/format.js';
import { settingsSchema } from '../../../../src/settings/schema/schema.js';
import { userActor } from '../../../../src/shared/actor.js';

export const SAFE: SafetyView = {
  mayMove: true,
  reason: '',
  code: '',
  emergencyStop: 'NONE',
  input: 'healthy',
  pins: 'simulated',
  resetNeeds: '',
};

export const LATCHED: SafetyView = {
  ...SAFE,
  mayMove: false,
  code: 'ESTOP_ACTIVE',
  reason: 'stopped by Anna: a reset is required',
  emergencyStop: 'REMOTE',
  stoppedBy: 'Anna',
  stoppedAt: '2026-05-04T12:02:11.000Z',
  resetNeeds: 'The E-stop button is still pressed',
};

export const STANDBY: LightView = {
  tone: 'quiet',
  text: 'standby',
  simulated: false,
  reason: 'The camera starts when a viewer connects',
};

export const PHOTO: Photo = {
  name: '20260504-120211-038.jpg',
  bytes: 154_321,
  takenAt: '2026-05-04T12:02:11.038Z',
};

export function camera(changes: Partial<CameraState> = {}): CameraState {
  return {
    ...STANDBY,
    phase: 'idle',
    fault: null,
    tone: 'quiet',
    width: 1280,
    height: 720,
    framerate: 30,
    newest: 0,
    ageMs: null,
    retryInMs: null,
    viewers: 0,
    streams: [],
    ...changes,
  };
}

export function cart(cartID: number, changes: Partial<CartView> = {}): CartView {
  return {
    cartID,
    name: `Cart ${cartID}`,
    destination: cartID === 1 ? 'serial' : 'mqtt',
    simulated: false,
    online: true,
    reason: '',
    moving: false,
    ageMs: 100,
    safety: SAFE,
    faults: [],
    ...changes,
  };
}

export function command(changes: Partial<CommandView> = {}): CommandView {
  return {
    commandId: 'c-1',
    cartID: 1,
    kind: 'move',
    destination: 'serial',
    state: 'ACKNOWLEDGED',
    distanceID: 3000,
    angleID: 0,
    distanceMm: 3000,
    angleDeg: 0,
    maxSpeed: 300,
    ttlMs: 2000,
    origin: { source: 'http', gatewayId: 'g', principal: 'Anna' },
    acceptedAt: '2026-05-04T12:02:11.000Z',
    timeline: [
      { state: 'ACCEPTED', ms: 0, cause: 'valid' },
      { state: 'SENT', ms: 1.2, cause: '' },
      { state: 'ACKNOWLEDGED', ms: 9.4, cause: '' },
    ],
    simulated: false,
    ...changes,
  };
}

export function layout(carts: CartView[] = [cart(1)], changes: Partial<LayoutData> = {}): LayoutData {
  return {
    gateway: { name: 'Loading bay', cartID: 1, fleet: 'site1', simulated: false, version: '0.1.0' },
    links: {
      broker: { connected: true, reason: '', url: 'mqtt://127.0.0.1:1883', embedded: true },
      camera: STANDBY,
    },
    carts,
    trustedLan: false,
    visitor: {
      name: 'anna',
      role: 'operator',
      isPerson: true,
      mayDrive: true,
      actor: userActor('anna'),
    },
    ...changes,
  };
}

interface Node {
  default?: unknown;
  properties?: Record<string, Node>;
}

function defaultsOf(node: Node): unknown {
  if (!node.properties) return node.default;
  return Object.fromEntries(Object.entries(node.properties).map(([key, child]) => [key, defaultsOf(child)]));
}

export function maskedSettings(): Record<string, Record<string, unknown>> {
  const values = defaultsOf(settingsSchema as unknown as Node) as Record<string, Record<string, unknown>>;
  return { ...values, mqtt: { ...values.mqtt, password: '***' } };
}
