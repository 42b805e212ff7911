import assert from 'node:assert/strict';
import { test } from 'uvu';
import { openZoneGate } from '../../../../src/app/composition/site.js';
import type { AppContext } from '../../../../src/app/context.js';
import type { Order } from '../../../../src/carts/command/model.js';
import type { BrakeTest } from '../../../../src/carts/commissioning/brake-test.js';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import { OPERATOR, quietLog } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { ANNA, FOOTPRINT } from '../../site/site-setup.js';
import { rectangle, zone } from '../../site/zones/drives.js';

const TEST: BrakeTest = { speedMmps: 300, distanceMm: 1000, load: '', by: ANNA, at: 1 };

/** Returns the speed that the gate permits to a cart whose front is 800 mm from a zone. */
function permittedMmps(brakeTests: readonly BrakeTest[]): number {
  const settings = defaultSettings();
  settings.kinematics.footprint = FOOTPRINT;
  settings.limits.maxSpeedMmps = 1000;
  const context = {
    settings: { current: settings },
    commissioning: { brakeTests },
    clock: new FakeClock(),
    log: quietLog,
  } as unknown as AppContext;
  const pose = {
    ...{ xMm: 0, yMm: 0, headingDeg: 0, state: 'GOOD', ageMs: { odometry: 0, markers: 0, beacons: null } },
    covariance: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 0.01],
    ],
  };
  const gate = openZoneGate(context, {
    positioning: { localization: { location: () => pose } },
  } as unknown as Parameters<typeof openZoneGate>[1]);
  const current = {
    version: 1,
    zones: [zone(rectangle(1200, -5000, 2000, 5000))],
    needsReview: false,
    reviewReason: null,
  };
  gate.use({
    sitePlan: { current, onChange: () => () => undefined },
    floorPlan: { current: undefined },
  } as never);
  const order = { kind: 'jog', distanceMm: 1000, angleDdeg: 0, maxSpeedMmps: 1000 } as unknown as Order;
  const verdict = gate.check({
    order,
    origin: OPERATOR,
    phase: 'send',
    driven: { distanceMm: 0, angleDeg: 0 },
    telemetry: undefined,
    limits: settings.limits,
    hasLiveLimits: true,
  });
  assert.ok(verdict.refusal === undefined, JSON.stringify(verdict));
  return verdict.limits.speedMmps;
}

test('near a zone, the cart drives more slowly after a bad brake test, until the test is withdrawn', () => {
  const configured = permittedMmps([]);
  assert.ok(permittedMmps([TEST]) < configured / 2, `${permittedMmps([TEST])} of ${configured} mm/s`);
  assert.equal(permittedMmps([{ ...TEST, withdrawn: { by: ANNA, at: 2 } }]), configured);
  assert.equal(permittedMmps([{ ...TEST, distanceMm: 50 }]), configured);
});

test.run();
