import assert from 'node:assert/strict';
import { type GatewayClient, READY_MS } from './gateway-client.js';
import type { Machine } from './machine.js';
import { poll } from './poll.js';

const WRITERS = 4;

export interface Acknowledged {
  /** Last acknowledged description of each beacon, by ID. */
  beacons: Map<string, string>;
  /** The last acknowledged name (initially the default), followed by all names sent since. */
  names: string[];
  latched: boolean;
  acknowledged: number;
}

const FIRST_NAME = 'Cart 1';

export const nothing = (): Acknowledged => ({
  beacons: new Map(),
  names: [FIRST_NAME],
  latched: false,
  acknowledged: 0,
});

/** Writes beacons and settings until the power is cut, and records every acknowledgement in `promised`. */
export async function writeUntilCut(
  gateway: GatewayClient,
  round: number,
  promised: Acknowledged,
): Promise<void> {
  const writeBeacons = async (writer: number): Promise<void> => {
    for (let count = 0; ; count += 1) {
      // Some beacons are overwritten repeatedly, because an old value that reappears is also data loss.
      const id = `cut-${writer}-${count % 3 === 0 ? 'same' : `${round}-${count}`}`;
      const description = `round ${round}, write ${count}`;
      await gateway.must(gateway.put(`/beacon/${id}`, { ...POSITION, id, description }));
      promised.beacons.set(id, description);
      promised.acknowledged += 1;
    }
  };
  const rename = async (): Promise<void> => {
    for (let count = 0; ; count += 1) {
      const name = `Cart of round ${round}, ${count}`;
      promised.names.push(name);
      await gateway.must(gateway.post('/updateJson', { gateway: { name } }));
      promised.names = promised.names.slice(promised.names.indexOf(name));
      promised.acknowledged += 1;
    }
  };
  const writers = [...Array.from({ length: WRITERS }, (_, writer) => writeBeacons(writer)), rename()];
  const ends = await Promise.allSettled(writers);
  for (const end of ends) {
    if (end.status === 'rejected' && end.reason instanceof assert.AssertionError) throw end.reason;
  }
}

const POSITION = { longDescription: 'for a power cut', txPower: -59, lat: 52.1, long: 4.3 };

/** Returns the IDs of beacons that are missing or older than their last acknowledged version. */
export async function lostBeacons(gateway: GatewayClient, { beacons }: Acknowledged): Promise<string[]> {
  const listed = await poll('the beacons', READY_MS, async () => (await gateway.get('/beacons')).body.text);
  const stored = new Map(
    (JSON.parse(String(listed)) as { id: string; description: string }[]).map((beacon) => [
      beacon.id,
      beacon,
    ]),
  );
  return [...beacons].filter(([id, text]) => isOlder(stored.get(id)?.description, text)).map(([id]) => id);
}

/**
 * True if the stored value is missing or older than the acknowledged one. A newer value is correct, because a write in
 * progress during the power cut may have been stored.
 */
function isOlder(stored: string | undefined, acknowledged: string): boolean {
  if (stored === undefined) return true;
  const [storedRound = 0, storedCount = 0] = numbers(stored);
  const [round = 0, count = 0] = numbers(acknowledged);
  return storedRound < round || (storedRound === round && storedCount < count);
}

const numbers = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Asserts that variables.json is complete and contains the last acknowledged name or a newer one. */
export async function checkSettings(machine: Machine, { names }: Acknowledged): Promise<void> {
  const { gateway } = JSON.parse(await machine.run('cat /var/lib/cartwright/variables.json'));
  assert.ok(names.includes(gateway.name), `"${gateway.name}" is not one of ${names}`);
}
