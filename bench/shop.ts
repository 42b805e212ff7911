import { join } from 'node:path';
import Database from 'better-sqlite3';
import { STATS } from '../src/shop/orders/orders.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { median, verdict } from './verdict.js';

/** Measures the sales statistics of 100,000 orders. Build, then run `node dist/bench/shop.js`. */
const ORDERS = 100_000;
const REQUESTS = 200;
const TARGET_MS = 10;

const ADMIN = { CARTWRIGHT_ADMIN_USER: 'bench', CARTWRIGHT_ADMIN_PASSWORD: 'not a common one 42' };
const gateway = await GatewayProcess.start({ simulation: { carts: [] } }, ADMIN);
await gateway.kill('SIGTERM');
const db = new Database(join(gateway.dir, 'data', 'cartwright.db'));
db.exec(`
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ORDERS})
  INSERT INTO orders (order_id, user_id, game_id, created_at) SELECT 'o' || i, 1, 1 + i % 5, i FROM n`);
const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${STATS}`).all();
const inside: number[] = [];
const statement = db.prepare(STATS);
for (let nth = 0; nth < REQUESTS; nth += 1) {
  const start = performance.now();
  statement.all();
  inside.push(performance.now() - start);
}
db.close();
await gateway.spawn();
const outside: number[] = [];
for (let nth = 0; nth < REQUESTS; nth += 1) {
  const start = performance.now();
  await gateway.call('GET', '/orders/stats');
  outside.push(performance.now() - start);
}
await gateway.close();

process.stdout.write(`${plan.map(({ detail }) => `  ${detail}`).join('\n')}\n`);
for (const [what, times] of [
  ['the query', inside],
  ['GET /orders/stats', outside],
] as const) {
  const ms = median(times);
  verdict(`${what} over ${ORDERS} orders`, `${ms.toFixed(1)} ms`, `${TARGET_MS} ms`, ms < TARGET_MS);
}
