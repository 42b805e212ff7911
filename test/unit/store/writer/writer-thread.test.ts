import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { until } from '../../../helpers/until.js';
import { closedGate, withTempStore } from '../temp-store.js';

const test = suite('the pulse of the writer');

test(
  'a writer that answers owes nothing; one that hangs owes for as long as it hangs, and is forgiven when it goes on',
  withTempStore(async ({ open, clock }) => {
    const store = await open();
    const settled = (): Promise<void> => until(() => store.status().writerSilentMs === 0);
    clock.advance(1001);
    await settled();

    const { gate, held, open: goOn } = closedGate();
    const write = store.write('test.hold', gate);
    await held();
    clock.advance(31_000);
    const { writerSilentMs } = store.status();
    goOn();
    await write;
    assert.equal(writerSilentMs, 30_001);
    await settled();
  }),
);

test.run();
