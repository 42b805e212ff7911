import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmulator } from 'emulate';
import { Stripe } from 'stripe';
import { test } from 'uvu';
import { openStripe } from '../../../src/adapters/payments/stripe.js';
import { rounds } from '../../helpers/random.js';
import { openTestApp, priceBook, rows } from '../../unit/shop/test-app.js';

const KILLS = rounds(5, 50);
const SCRIPT = fileURLToPath(new URL('./payment-process.js', import.meta.url));

async function runUntilKilled(args: string[]): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
}

async function providerTransactions(url: string): Promise<string[]> {
  const { hostname: host, port } = new URL(url);
  const stripe = new Stripe('sk_test_1', { host, port, protocol: 'http', telemetry: false });
  const ids: string[] = [];
  for await (const { metadata } of stripe.checkout.sessions.list({ limit: 100 })) {
    ids.push(metadata?.transaction_id ?? '');
  }
  return ids;
}

for (const when of ['before', 'after'] as const) {
  test(`${KILLS} kills ${when} the call to the sandbox neither lose nor duplicate a payment`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-kill-'));
    for (let kill = 0; kill < KILLS; kill += 1) await runUntilKilled([dir, when]);
    const testApp = await openTestApp(dir);
    await testApp.shop.reconciler.run();
    const ours = rows(testApp).map(({ transaction_id, intent_state }) => [transaction_id, intent_state]);
    const made = testApp.sql('SELECT transaction_id FROM sandbox_checkouts');
    assert.equal(ours.length, KILLS);
    assert.ok(ours.every(([, state]) => state === 'created'));
    assert.deepEqual(made.map((row) => row.transaction_id).toSorted(), ours.map(([id]) => id).toSorted());
    await testApp.close();
    rmSync(dir, { recursive: true });
  });

  test(`${KILLS} kills ${when} the call to Stripe neither lose nor duplicate a payment`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-kill-'));
    const emulator = await createEmulator({ service: 'stripe', port: 0 });
    const { url } = emulator;
    for (let kill = 0; kill < KILLS; kill += 1) await runUntilKilled([dir, when, url]);
    const testApp = await openTestApp(dir, {
      provider: (store) => openStripe({ apiKey: 'sk_test_1', prices: priceBook(store), url }),
    });
    await testApp.shop.reconciler.run();
    const ours = rows(testApp);
    assert.equal(ours.length, KILLS);
    assert.ok(ours.every(({ intent_state }) => intent_state === 'created'));
    const ids = ours.map(({ transaction_id }) => String(transaction_id));
    assert.deepEqual((await providerTransactions(url)).toSorted(), ids.toSorted());
    assert.equal(new Set(ours.map(({ provider_ref }) => provider_ref)).size, KILLS);
    await testApp.close();
    await emulator.close();
    rmSync(dir, { recursive: true });
  });
}

test.run();
