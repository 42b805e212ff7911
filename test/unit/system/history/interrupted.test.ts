import assert from 'node:assert/strict';
import { test } from 'uvu';
import { historyDetails } from '../../../../src/console/history/rows.js';
import { userActor } from '../../../../src/shared/actor.js';
import { History } from '../../../../src/system/history/history.js';
import { withTempStore } from '../../store/temp-store.js';

const STOPPED_AT = new Date(2026, 0, 10, 12).getTime();

test(
  'the details of a latched stop list the commands that it interrupted, with their distance',
  withTempStore(async ({ clock, log, ...temp }) => {
    const history = new History({ store: await temp.open(), clock, log });
    /** Records a command that was cancelled `ms` after its acceptance. */
    const cancelled = (cartID: number, acceptedAt: number, ms: number, states = ['ACCEPTED', 'RUNNING']) => {
      const timeline = [...states, 'CANCELLED'].map((state) => ({ state, ms }));
      const command = {
        commandId: `c${cartID}-${acceptedAt}`,
        cartID,
        kind: 'move',
        state: 'CANCELLED',
        timeline,
        acceptedAt: new Date(acceptedAt).toISOString(),
        origin: { principal: 'anna' },
        reason: { code: 'ESTOP_ACTIVE', text: 'E-stop' },
        distanceMm: 1000,
        angleDeg: 0,
        result: { distanceMm: 250, angleDeg: 0, estimated: false },
      };
      history.recordCommand(command, userActor('anna'));
    };
    cancelled(1, STOPPED_AT - 60_000, 900);
    cancelled(2, STOPPED_AT - 900, 1000);
    // A command that arrived later and never ran does not hide the interrupted one.
    cancelled(2, STOPPED_AT - 500, 10, []);
    cancelled(3, STOPPED_AT - 900, 1000, ['ACCEPTED']);
    for (const cartID of [1, 2, 3, 4])
      history.recordSafety(
        { cartID, kind: 'estop.latched', by: userActor('otto'), pressId: 'press' },
        {
          key: `${cartID}`,
          at: STOPPED_AT,
        },
      );
    await history.close();
    const { entries } = await history.search.page({ outcome: 'estop' }, { limit: 9 });
    const [stop] = entries;
    assert.ok(stop);
    const interrupted = history.search.interruptedBy(stop);
    const { facts, day } = historyDetails(stop, (cartID) => `Cart ${cartID}`, interrupted);
    assert.deepEqual(
      facts.filter(({ name }) => name === 'Interrupted command'),
      [{ name: 'Interrupted command', value: 'Cart 2: 1.00 m forward by anna; 0.25 m driven' }],
    );
    assert.match(day, /2026/);
    const [command] = (await history.search.page({ outcome: 'cancelled' }, { limit: 9 })).entries;
    assert.ok(command);
    assert.deepEqual(history.search.interruptedBy(command), []);
  }),
);

test.run();
