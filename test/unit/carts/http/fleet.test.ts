import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { CartView } from '../../../../src/carts/command/model.js';
import { fleetCounts, fleetRow, fleetState, worstFirst } from '../../../../src/carts/fleet/fleet-rows.js';
import { chosen } from '../../../../src/console/fleet/browser/filter-and-sort.js';
import { fleetDuplicate } from '../../../../src/console/labels/fleet-labels.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { LATCHED, SAFE } from '../../app/api/samples.js';

const cart = (cartID: number, changes: Partial<CartView> = {}): CartView => ({
  cartID,
  name: `Cart ${cartID}`,
  destination: 'mqtt',
  simulated: true,
  online: true,
  reason: '',
  moving: false,
  ageMs: 100,
  safety: SAFE,
  faults: [],
  ...changes,
});

const OFFLINE = { online: false, reason: 'it has been switched off' };
const HOT = { path: 'carts/5', message: 'a motor is at 91 °C' };

test('a cart is shown with its most severe state', () => {
  assert.equal(fleetState(cart(1, { ...OFFLINE, safety: LATCHED })), 'stopped');
  assert.equal(fleetState(cart(1, { ...OFFLINE, safety: { ...SAFE, mayMove: false } })), 'offline');
  assert.equal(fleetState(cart(1, { safety: { ...SAFE, mayMove: false }, faults: [HOT] })), 'refusing');
  assert.equal(fleetState(cart(1, { faults: [HOT], moving: true })), 'faulty');
  assert.equal(fleetState(cart(1, { moving: true })), 'moving');
  assert.equal(fleetState(cart(1)), 'ready');
});

test('a row shows a reason only for a problem state', () => {
  assert.equal(fleetRow(cart(1, OFFLINE)).why, 'it has been switched off');
  assert.equal(fleetRow(cart(1, { faults: [HOT] })).why, HOT.message);
  assert.equal(fleetRow(cart(1, { moving: true })).why, '');
  assert.match(
    textOf(fleetRow(cart(1, { ...OFFLINE, safety: LATCHED })).why),
    /^stopped by Anna; it has been switched off$/,
  );
});

const rows = [
  cart(3),
  cart(40, { moving: true }),
  cart(5, { faults: [HOT] }),
  cart(4, { ...OFFLINE, ageMs: null }),
  cart(31, { safety: LATCHED }),
].map(fleetRow);
const everything = { find: '', state: '', sort: 'worst' };
const ids = (list: readonly { cartID: number }[]): number[] => list.map(({ cartID }) => cartID);

test('sorts carts with problems first and counts each cart once', () => {
  assert.deepEqual(ids(rows.toSorted(worstFirst)), [31, 4, 5, 40, 3]);
  const counts = fleetCounts(rows.map(({ state }) => state));
  assert.deepEqual(counts, { stopped: 1, offline: 1, refusing: 0, faulty: 1, moving: 1, ready: 1 });
});

test('filters carts by the first digits of the number, part of the name, and the state', () => {
  assert.deepEqual(ids(chosen(rows, { ...everything, find: '3' })), [31, 3]);
  assert.deepEqual(ids(chosen(rows, { ...everything, find: 'ART 4' })), [4, 40]);
  assert.deepEqual(ids(chosen(rows, { ...everything, state: 'problems' })), [31, 4, 5]);
  assert.deepEqual(ids(chosen(rows, { ...everything, state: 'moving' })), [40]);
});

test('sorts carts by each sort key, with unknown values first', () => {
  assert.deepEqual(ids(chosen(rows, { ...everything, sort: 'number' })), [3, 4, 5, 31, 40]);
  assert.deepEqual(ids(chosen(rows, { ...everything, sort: 'name' })), [3, 4, 5, 31, 40]);
  assert.equal(ids(chosen(rows, { ...everything, sort: 'age' }))[0], 4);
});

test('shows the cart number and the gateways in a conflict', () => {
  const reason = 'several gateways use cart number 2: pi-b-2, pi-c-2';
  const shown = fleetDuplicate({ cartID: 2, gateways: ['pi-b-2', 'pi-c-2'], reason, isSilent: false });
  const text = 'Several gateways use cart number 2: pi-b-2, pi-c-2.';
  assert.deepEqual(shown, { cartID: 2, text });
});

test.run();
