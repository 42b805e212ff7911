import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Returns carts in the format of `variables.json`. */
export function listOf(first: number, count: number): { cartID: number; name: string }[] {
  return Array.from({ length: count }, (_, at) => ({ cartID: first + at, name: `Cart ${first + at}` }));
}

/** Starts simulated carts in a separate process. Resolves when all carts are connected to the broker. */
export async function startFleet(port: number, first: number, count: number): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../src/cli/simulate-fleet.js');
  const args = ['--carts', String(count), '--first', String(first), '--broker', `mqtt://127.0.0.1:${port}`];
  const fleet = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: fleet.stdout })) {
    if ((JSON.parse(line) as { connected?: number }).connected === count) break;
  }
  fleet.stdout.resume();
  return fleet;
}
