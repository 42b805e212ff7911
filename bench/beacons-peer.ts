import { join } from 'node:path';
import Database from 'better-sqlite3';
import Fastify from 'fastify';

/**
 * Reference server for the beacon benchmark: Fastify and better-sqlite3 in typical use, with validation,
 * response schemas, prepared statements, WAL and synchronous=FULL.
 */
const [dir = ''] = process.argv.slice(2);
const db = new Database(join(dir, 'peer.db'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`CREATE TABLE IF NOT EXISTS beacons (id TEXT PRIMARY KEY, description TEXT NOT NULL,
  longDescription TEXT NOT NULL, txPower INTEGER, lat REAL, long REAL) STRICT`);
// better-sqlite3 changes to synchronous=NORMAL when it first uses a WAL file, so FULL is set again.
db.pragma('synchronous = FULL');

const id = { type: 'string', minLength: 6, maxLength: 19 } as const;
const beacon = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'description', 'longDescription'],
  properties: {
    id,
    description: { type: 'string', maxLength: 1000 },
    longDescription: { type: 'string', maxLength: 10_000 },
    txPower: { type: 'integer', minimum: -100, maximum: 20 },
    lat: { type: 'number', minimum: -90, maximum: 90 },
    long: { type: 'number', minimum: -180, maximum: 180 },
  },
} as const;

const one = db.prepare<[string]>('SELECT * FROM beacons WHERE id = ?');
const all = db.prepare('SELECT * FROM beacons');
const insert = db.prepare<Record<string, unknown>>(
  `INSERT INTO beacons VALUES (@id, @description, @longDescription, @txPower, @lat, @long)`,
);

const app = Fastify();
const byId = { type: 'object', required: ['id'], properties: { id } } as const;
app.get<{ Querystring: { id: string } }>(
  '/beacon',
  { schema: { querystring: byId, response: { 200: beacon } } },
  async (request, reply) => {
    const row = one.get(request.query.id);
    if (row) return row;
    return reply.code(404).send({ error: 'Not found', message: 'no such beacon', code: 'NOT_FOUND' });
  },
);
const list = { type: 'array', items: beacon } as const;
app.get('/beacons', { schema: { response: { 200: list } } }, async () => all.all());
app.post<{ Body: Record<string, unknown> }>(
  '/beacon',
  { schema: { body: beacon, response: { 200: beacon } } },
  async (request) => {
    insert.run(request.body);
    return request.body;
  },
);
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${new URL(address).port}\n`);
