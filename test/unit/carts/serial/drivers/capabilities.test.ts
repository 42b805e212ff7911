import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { capabilitiesOf, DRIVER_CAPABILITIES } from '../../../../../src/carts/serial/drivers/capabilities.js';
import { packageRoot } from '../../../../../src/shared/package-root.js';
import { CartHarness } from '../../../../helpers/cart-harness.js';

const test = suite('capabilities of the drivers');

const NAMES = Object.keys(DRIVER_CAPABILITIES) as (keyof typeof DRIVER_CAPABILITIES)[];

for (const name of NAMES) {
  test(`${name}: the table agrees with the driver`, async () => {
    const isLegacy = name === 'legacyJson';
    const harness = await CartHarness.ready(({ serial, safety }) => {
      serial.driver = isLegacy ? 'json-lines' : name;
      serial.legacyJson = isLegacy;
      safety.allowNoWatchdog = true;
    });
    const { driver } = harness.link;
    assert.ok(driver);
    assert.deepEqual(capabilitiesOf(harness.settings.serial), {
      measuresTravel: driver.traits.feedback,
      hasLiveLimits: driver.limitSpeed !== undefined,
    });
    await harness.close();
  });
}

test('the documentation contains the table', () => {
  const text = readFileSync(join(packageRoot(), 'docs', 'navigation.md'), 'utf8');
  const yes = (value: boolean): string => (value ? 'yes' : 'no');
  for (const name of NAMES) {
    const { measuresTravel, hasLiveLimits } = DRIVER_CAPABILITIES[name];
    const driver = name === 'legacyJson' ? '`json-lines` with `legacyJson`' : `\`${name}\``;
    const travel = measuresTravel ? 'yes, if the controller has the capability' : 'no';
    const row = `| ${driver} | ${travel} | ${yes(hasLiveLimits)} | ${yes(measuresTravel)} |`;
    assert.ok(text.includes(row), row);
  }
});

test.run();
