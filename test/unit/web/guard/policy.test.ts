import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { type SimulatorControls, simulatorRoutes } from '../../../../src/carts/http/simulator-routes.js';
import { type AppDeps, createApp } from '../../../../src/gateway/web/app.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { GATEWAY_POLICY, SHOP_POLICY } from '../../../../src/web/guard/policy.js';

/** Stands for every part of the gateway: routes are only looked at here, never run. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, key) => (key === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
});

interface Layer {
  rawPath: string | string[];
  handle: { stack?: Layer[] };
  route?: { path: string; methods: Record<string, boolean> };
}

/** `METHOD /path` of every route, however deep its router lies. */
function routesOf(stack: readonly Layer[], above = ''): string[] {
  return stack.flatMap(({ route, handle, rawPath }) => {
    if (route) {
      return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${above}${route.path}`);
    }
    const at = rawPath === '/' ? above : `${above}${String(rawPath)}`;
    return handle.stack ? routesOf(handle.stack, at) : [];
  });
}

function routesOfTheGateway(): string[] {
  const given = {
    viewsDir: join(packageRoot(), 'views'),
    hostnames: [],
    shop: { shop: anything, sandbox: anything, principalOf: anything },
    simulator: simulatorRoutes(anything as SimulatorControls),
  };
  const deps = new Proxy(given, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : anything),
  }) as unknown as AppDeps;
  const { app } = createApp(deps);
  return routesOf((app as unknown as { router: { stack: Layer[] } }).router.stack);
}

const routes = routesOfTheGateway();
const listed = (policy: readonly { method: string; path: string }[]): string[] =>
  policy.map(({ method, path }) => `${method} ${path}`);

test('every route of the gateway has its entry in the policy', () => {
  assert.ok(routes.length > 30, `only ${routes.length} routes were found`);
  const known = new Set(listed([...GATEWAY_POLICY, ...SHOP_POLICY]));
  assert.deepEqual(
    routes.filter((route) => !known.has(route)),
    [],
  );
});

test('every entry of the policy has its route', () => {
  // The shop is a part of its own: its entries count when it is there.
  const hasShop = routes.includes('GET /games');
  const wanted = listed(hasShop ? [...GATEWAY_POLICY, ...SHOP_POLICY] : GATEWAY_POLICY);
  assert.deepEqual(
    wanted.filter((entry) => !routes.includes(entry)),
    [],
  );
});

test('no route is on the list twice', () => {
  const all = listed([...GATEWAY_POLICY, ...SHOP_POLICY]);
  assert.equal(new Set(all).size, all.length);
});

test('nothing that changes anything is public but the ways in, and what others prove by themselves', () => {
  const open = [...GATEWAY_POLICY, ...SHOP_POLICY].filter(
    ({ need, method }) => need === 'public' && method !== 'GET',
  );
  assert.deepEqual(listed(open).toSorted(), [
    // Changes nothing but what the browser itself keeps.
    'POST /language',
    'POST /login',
    'POST /login/code',
    'POST /logout',
    'POST /sandbox/:ref',
    'POST /setup',
    'POST /webhooks/:provider',
  ]);
});

test.run();
