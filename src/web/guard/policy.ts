import type { Role } from '../../access/schema.js';

/** What a route asks for: nothing, a person who is logged in, or a person of at least this role. */
export type Need = 'public' | 'session' | Exclude<Role, 'customer'>;

/** Who may use one route. What is on no list is there for nobody. */
export interface PolicyEntry {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As Express has it: `/carts/:cartID`, `/assets/{*name}`. */
  path: string;
  need: Need;
  /** API keys with one of these may as well. */
  scopes?: readonly string[];
  /** Whether somebody without a name may on a trusted network. Left out: yes, unless it needs an administrator. */
  lan?: boolean;
  /** Whether a stop token may as well. */
  stopToken?: boolean;
}

type Rest = Omit<PolicyEntry, 'method' | 'path' | 'need'>;

function entries(need: Need, routes: readonly string[], rest: Rest = {}): PolicyEntry[] {
  return routes.map((route) => {
    const [method, path = ''] = route.split(' ');
    return { method: method as PolicyEntry['method'], path, need, ...rest };
  });
}

const CONTROL = { scopes: ['cart:control'] };
const CAMERA = { scopes: ['camera:read'] };

/** The gateway itself. Stopping is for everybody who is logged in: it is never the wrong thing to do. */
export const GATEWAY_POLICY: readonly PolicyEntry[] = [
  ...entries('public', ['GET /beacon', 'GET /beacons', 'GET /assets/{*name}']),
  ...entries('public', ['GET /livez', 'GET /readyz', 'GET /safez', 'GET /health']),
  // What they say is the same on every gateway of a version.
  ...entries('public', ['GET /openapi.json', 'GET /asyncapi.json', 'GET /settings/schema.json']),
  ...entries('public', ['GET /docs', 'GET /docs/:file']),
  ...entries('public', ['GET /login', 'POST /login', 'POST /logout', 'GET /setup', 'POST /setup']),
  ...entries('public', ['POST /login/code']),
  ...entries('public', ['POST /language']),

  // A position from signal strengths: nothing is changed, and it is receivers that ask.
  ...entries('session', ['POST /beacons/observed'], { scopes: ['beacons:write'] }),
  ...entries('operator', ['POST /beacon', 'PUT /beacon/:id', 'DELETE /beacon', 'POST /beacons/import'], {
    scopes: ['beacons:write'],
  }),

  ...entries('session', ['GET /map', 'GET /map/export/:name', 'GET /map/plan', 'GET /map/plan/picture']),
  ...entries('operator', ['POST /map', 'POST /map/delete']),
  ...entries('operator', ['PUT /map/plan', 'PUT /map/plan/points', 'DELETE /map/plan']),

  ...entries('session', ['GET /', 'GET /events'], CONTROL),
  // People only. Whoever may only watch learns who drives.
  ...entries('session', ['GET /drive']),
  ...entries('session', ['GET /carts', 'GET /carts/:cartID', 'GET /fleet'], CONTROL),
  ...entries('session', ['GET /commands', 'GET /commands/:commandId'], CONTROL),
  ...entries('session', ['POST /carts/:cartID/stop', 'POST /stop', 'POST /stop/mine', 'POST /estop'], {
    ...CONTROL,
    stopToken: true,
  }),
  ...entries('operator', ['POST /', 'POST /estop/reset'], CONTROL),

  ...entries('operator', ['GET /brokerSettings', 'POST /brokerSettings', 'POST /brokerSettings/test']),
  ...entries('operator', ['POST /brokerSettings/edit', 'POST /brokerSettings/apply']),
  ...entries('operator', ['POST /brokerSettings/confirm', 'POST /brokerSettings/rollback']),
  ...entries('operator', ['GET /brokerSettings/history', 'POST /brokerSettings/history/:version']),
  ...entries('operator', ['POST /brokerSettings/import']),
  ...entries('operator', ['GET /variables.json', 'POST /updateJson'], { scopes: ['settings:write'] }),
  ...entries('operator', ['GET /cameraSettings', 'GET /runCamera'], CAMERA),
  ...entries(
    'operator',
    ['GET /camera/stream.mjpg', 'GET /camera/frame', 'GET /camera/snapshot.jpg'],
    CAMERA,
  ),
  ...entries('operator', ['GET /camera/state.json', 'GET /camera/photos'], CAMERA),
  ...entries('operator', ['GET /camera/photos/:name', 'GET /camera/photos/:name/thumbnail'], CAMERA),
  ...entries('operator', ['POST /cameraSettings', 'POST /camera/photo', 'POST /camera/retry']),
  ...entries('operator', ['DELETE /camera/photos/:name', 'POST /camera/photos/:name/delete']),
  ...entries('operator', ['GET /history/commands', 'GET /history/safety']),
  ...entries('operator', ['GET /commissioning', 'POST /commissioning']),
  ...entries('operator', ['GET /system', 'GET /system/log', 'GET /system/trend']),
  ...entries('operator', ['GET /black-boxes', 'GET /black-boxes/:name']),
  ...entries('operator', ['GET /metrics'], { scopes: ['metrics:read'] }),
  ...entries('operator', ['GET /simulator', 'POST /simulator'], CONTROL),

  // A trusted network has no accounts to look after, and nobody there is an administrator.
  ...entries('session', ['GET /account', 'POST /account/password', 'POST /logout/everywhere'], {
    lan: false,
  }),
  ...entries('session', ['GET /account/sessions', 'DELETE /account/sessions/:sessionId'], { lan: false }),
  ...entries(
    'session',
    ['POST /account/sessions/:sessionId/revoke', 'POST /account/sessions/revoke-others'],
    { lan: false },
  ),
  ...entries('operator', ['POST /account/totp', 'POST /account/totp/confirm'], { lan: false }),
  // Also for a user who is no longer an operator.
  ...entries('session', ['POST /account/totp/recovery-codes', 'POST /account/totp/remove'], { lan: false }),
  ...entries('admin', ['POST /users/:userId/totp/reset']),
  ...entries('admin', ['GET /users', 'POST /users', 'PATCH /users/:userId', 'POST /users/:userId']),
  ...entries('admin', ['GET /keys', 'POST /keys', 'DELETE /keys/:keyId', 'POST /keys/:keyId/revoke']),
  // A copy of the database has everything in it, hashes of passwords as well.
  ...entries('admin', ['GET /backups', 'POST /backups', 'GET /backups/:name']),
  ...entries('admin', ['POST /backups/:name/verify', 'POST /backups/:name/restore']),
  ...entries('admin', ['POST /backups/cancel-restore']),
  ...entries('admin', ['POST /black-boxes/:name/pin', 'POST /black-boxes/:name/unpin']),
];

const READ = { scopes: ['payments:read', 'payments:admin'] };
const WRITE = { scopes: ['payments:write', 'payments:admin'] };

/** The shop. Whose payment or basket it is, the handlers check: `requireOwner`. */
export const SHOP_POLICY: readonly PolicyEntry[] = [
  ...entries('public', ['GET /games', 'POST /webhooks/:provider']),
  ...entries('operator', ['POST /games', 'PATCH /games/:gameId', 'DELETE /games/:gameId'], {
    scopes: ['games:write'],
  }),
  ...entries('session', ['GET /shop', 'POST /shop/basket', 'POST /shop/checkout']),
  // The embedded provider's own page, as a real one's would be: whoever has the link may pay.
  ...entries('public', ['GET /sandbox/:ref', 'POST /sandbox/:ref']),
  ...entries('operator', ['GET /shop/admin']),
  ...entries('session', ['POST /payments', 'POST /payments/order'], WRITE),
  ...entries('session', ['POST /payments/cart/:user_id', 'DELETE /payments/cart/:user_id'], WRITE),
  ...entries('session', ['GET /payments/cart/:user_id', 'GET /payments/:transactionId/status'], READ),
  ...entries('session', ['GET /payments/:transactionId/checkout'], READ),
  ...entries('session', ['GET /payments/transaction/:orderId', 'GET /payments/:orderId/transaction'], READ),
  ...entries('operator', ['GET /payments'], READ),
  // Says that money has come: not even a trusted network may.
  ...entries(
    'operator',
    [
      'PATCH /payments/updateStatus/:status/:orderId',
      // For the answer that a part of the address is missing.
      'PATCH /payments/updateStatus/:status',
      'PATCH /payments/updateStatus//:orderId',
      'PATCH /payments/updateStatus',
    ],
    { scopes: ['payments:admin'], lan: false },
  ),
  ...entries('session', ['GET /orders/stats'], { scopes: ['orders:read'] }),
];
