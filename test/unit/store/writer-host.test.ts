import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { until } from '../../helpers/until.js';
import { closedGate, withTempStore } from './temp-store.js';

const test = suite('writer heartbeat');

test(
  'writerSilentMs is 0 while the writer responds, and the duration of the hang otherwise',
  withTempStore(async ({ open, clock }) => {
    const store = await open();
    const settled = (): Promise<void> => until(() => store.status().writerSilentMs === 0);
    clock.advance(1001);
    await settled();

    const { gate, held, open: release } = closedGate();
    const write = store.write('test.hold', gate);
    await held();
    clock.advance(31_000);
    const { writerSilentMs } = store.status();
    release();
    await write;
    assert.equal(writerSilentMs, 30_001);
    await settled();
  }),
);

test.run();
