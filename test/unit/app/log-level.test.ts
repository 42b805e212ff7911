import assert from 'node:assert/strict';
import { test } from 'uvu';
import { followLogLevel } from '../../../src/app/context.js';
import { LogThreshold } from '../../../src/shared/log.js';
import { idle, withTempSettings } from '../settings/temp-settings.js';

test(
  "applies logging.level immediately, and uses the startup configuration's level if logging.level is info",
  withTempSettings({}, async ({ open }) => {
    const service = await open({ initial: { logging: { level: 'warn' } } });
    const threshold = new LogThreshold('error');
    followLogLevel(service, { threshold, configured: 'error' });
    const levels = [threshold.level];
    for (const level of ['debug', 'info']) {
      await service.update({ logging: { level } }, idle);
      levels.push(threshold.level);
    }
    assert.deepEqual(levels, ['warn', 'debug', 'error']);
  }),
);

test.run();
