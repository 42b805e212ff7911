import assert from 'node:assert/strict';
import { type GatewayClient, READY_MS } from './gateway-client.js';
import type { Machine } from './machine.js';
import { poll } from './poll.js';

const WRITERS = 4;

/** What the gateway has said that it keeps. */
export interface Promised {
  /** The description of each beacon by its id; that of the last answer. */
  beacons: Map<string, string>;
  /** The newest name that was acknowledged (at first the one it is delivered with), and those that were sent after it. */
  names: string[];
  latched: boolean;
  /** Acknowledgements of this round. */
  acknowledged: number;
}

const FIRST_NAME = 'Cart 1';

export const nothing = (): Promised => ({
  beacons: new Map(),
  names: [FIRST_NAME],
  latched: false,
  acknowledged: 0,
});

/** Writes beacons and settings until the power goes; resolves then. `promised` is true at every moment. */
export async function writeUntilCut(
  gateway: GatewayClient,
  round: number,
  promised: Promised,
): Promise<void> {
  const writeBeacons = async (writer: number): Promise<void> => {
    for (let count = 0; ; count += 1) {
      // Some ids are written again and again: an old value that comes back is a loss as well.
      const id = `cut-${writer}-${count % 3 === 0 ? 'same' : `${round}-${count}`}`;
      const description = `round ${round}, write ${count}`;
      await gateway.must(gateway.put(`/beacon/${id}`, { ...PLACE, id, description }));
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

const PLACE = { longDescription: 'for a power cut', txPower: -59, lat: 52.1, long: 4.3 };

/** Acknowledged beacons that are gone, or older than what was acknowledged. */
export async function lostBeacons(gateway: GatewayClient, { beacons }: Promised): Promise<string[]> {
  const stored = await poll('the beacons', READY_MS, async () => (await gateway.get('/beacons')).body.text);
  const kept = new Map(
    (JSON.parse(String(stored)) as { id: string; description: string }[]).map((beacon) => [
      beacon.id,
      beacon,
    ]),
  );
  return [...beacons].filter(([id, text]) => isOlder(kept.get(id)?.description, text)).map(([id]) => id);
}

/** A write that was under way at the cut may be there or not: what is there may be newer than what was acknowledged. */
function isOlder(kept: string | undefined, acknowledged: string): boolean {
  if (kept === undefined) return true;
  const [keptRound = 0, keptCount = 0] = numbers(kept);
  const [round = 0, count = 0] = numbers(acknowledged);
  return keptRound < round || (keptRound === round && keptCount < count);
}

const numbers = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** variables.json as it lies on the disk is whole, and holds the name that was acknowledged or a newer one. */
export async function checkSettings(machine: Machine, { names }: Promised): Promise<void> {
  const { gateway } = JSON.parse(await machine.run('cat /var/lib/cartwright/variables.json'));
  assert.ok(names.includes(gateway.name), `"${gateway.name}" is none of ${names}`);
}
