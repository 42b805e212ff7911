import { connectAsync } from 'mqtt';
import type { Page } from 'playwright-core';
import type { CartView } from '../src/carts/command/model.js';
import { EARTH_RADIUS_M } from '../src/plan/frame/geodesy.js';
import type { GatewayProcess } from '../test/helpers/gateway.js';
import { png } from '../test/unit/plan/images.js';

/** A hall for the Beacons page screenshots: 24 beacons on pillars, a floor plan and a receiving cart. */

const HALL = { lat: 52.37, long: 4.895, wideM: 30, deepM: 20 };
const PIXELS_PER_M = 40;
const TX_POWER = -59;
const METRES_PER_DEGREE = (EARTH_RADIUS_M * Math.PI) / 180;

interface Spot {
  eastM: number;
  northM: number;
}

const PILLARS: readonly (Spot & { id: string; description: string })[] = Array.from(
  { length: 24 },
  (_, i) => {
    const [column, row] = [i % 6, Math.floor(i / 6)];
    const id = `hall-${String.fromCharCode(97 + row)}${column + 1}`;
    return {
      id,
      description: `Pillar ${row + 1}.${column + 1}`,
      eastM: 2.5 + column * 5,
      northM: 2.5 + row * 5,
    };
  },
);

/** Adds beacons and a floor plan, and raises the cart's speed limit to shorten the run. */
export async function seedHall(gateway: GatewayProcess): Promise<void> {
  await gateway.call('POST', '/updateJson', { limits: { maxSpeedMmps: 1500, accelMmps2: 2000 } });
  await gateway.call('POST', '/beacons/import?upsert=true', [
    ...PILLARS.map(({ id, description, ...spot }) => ({
      id,
      description,
      txPower: TX_POWER,
      ...positionOf(spot),
    })),
    { id: 'spare-01', description: 'In the drawer' },
  ]);
  const [width, height] = [HALL.wideM * PIXELS_PER_M, HALL.deepM * PIXELS_PER_M];
  await fetch(`${gateway.url}/map/plan`, {
    method: 'PUT',
    body: new Uint8Array(png(width, height, drawPlan)),
  });
  const points = [
    { x: 0, y: height, ...positionOf({ eastM: 0, northM: 0 }) },
    { x: width, y: 0, ...positionOf({ eastM: HALL.wideM, northM: HALL.deepM }) },
  ];
  await gateway.call('PUT', '/map/plan/points', { points });
}

/** Drives the cart and publishes received signal strengths until the page shows the cart's heading. */
export async function driveThroughHall(page: Page, gateway: GatewayProcess): Promise<void> {
  const receiver = await connectAsync(await gateway.untilBroker());
  const start = (await gateway.cart(1)).pose ?? { xMm: 0, yMm: 0 };
  const publishStrengths = async ({ pose = { xMm: 0, yMm: 0, headingDeg: 0 } }: CartView): Promise<void> => {
    const ahead = Math.hypot(pose.xMm - start.xMm, pose.yMm - start.yMm) / 1000;
    const sightings = strengthsAt({ eastM: 10 + ahead * 0.87, northM: 8 + ahead * 0.5 });
    await receiver.publishAsync('cart/v1/site1/1/sightings', JSON.stringify({ sightings }));
  };
  await gateway.move(1, 6000, { maxSpeed: 800 });
  const heads = page.locator('.heard-more:has-text("heading")');
  while (!(await heads.isVisible())) await publishStrengths(await gateway.cart(1));
  await gateway.call('POST', '/carts/1/stop');
  await page.locator('[data-beacon-map]').evaluate((map: { scrollIntoView(how: object): void }) => {
    map.scrollIntoView({ block: 'nearest' });
  });
  await publishStrengths(await gateway.cart(1));
  await receiver.endAsync();
}

/** Returns the received signal strengths of the six nearest beacons, without fading. */
function strengthsAt({ eastM, northM }: Spot): { id: string; rssi: number }[] {
  return PILLARS.map((pillar) => ({
    ...pillar,
    metres: Math.hypot(pillar.eastM - eastM, pillar.northM - northM),
  }))
    .sort((a, b) => a.metres - b.metres)
    .slice(0, 6)
    .map(({ id, metres }) => ({ id, rssi: Math.round(TX_POWER - 20 * Math.log10(Math.max(0.1, metres))) }));
}

function positionOf({ eastM, northM }: Spot): { lat: number; long: number } {
  const lat = HALL.lat + northM / METRES_PER_DEGREE;
  const long = HALL.long + eastM / METRES_PER_DEGREE / Math.cos((HALL.lat * Math.PI) / 180);
  return { lat: Number(lat.toFixed(7)), long: Number(long.toFixed(7)) };
}

function drawPlan(x: number, y: number): number {
  const [eastM, northM] = [x / PIXELS_PER_M, HALL.deepM - y / PIXELS_PER_M];
  const isGate = northM < 1 && eastM > 12 && eastM < 16;
  const isOuter = Math.min(eastM, northM, HALL.wideM - eastM, HALL.deepM - northM) < 0.3;
  const isInner = Math.abs(eastM - 22.5) < 0.15 && (northM < 9 || northM > 11.5);
  const isPillar = PILLARS.some(
    (pillar) => Math.max(Math.abs(pillar.eastM - eastM), Math.abs(pillar.northM - northM)) < 0.25,
  );
  if ((isOuter && !isGate) || isInner) return 60;
  return isPillar ? 150 : 250;
}
