import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';
import { GatewayProcess } from '../helpers/gateway.js';

const test = suite('monitoring dashboard and alert rules');

const folder = join(packageRoot(), 'docs/monitoring');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const hasPromtool = !spawnSync('promtool', ['--version']).error;
const PROMETHEUS_METRICS = ['up'];

let gateway: GatewayProcess;
let exposition = '';
let names: Set<string>;

test.before(async () => {
  gateway = await GatewayProcess.start();
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  await gateway.call('POST', '/estop', { cartID: 1 });
  exposition = await (await fetch(`${gateway.url}/metrics`)).text();
  names = new Set(
    [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type = '']) => [
      name,
      ...(type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : []),
    ]),
  );
});
test.after(async () => void (await gateway.close()));

function seriesIn(expressions: readonly string[]): string[] {
  return expressions.flatMap(
    (text) => text.match(/\b(?:cartwright|process|nodejs)_[a-z0-9_]+\b|\bup\b/g) ?? [],
  );
}

function expressionsOfDashboard(): string[] {
  const { panels } = JSON.parse(read('dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

function expressionsOfAlerts(): string[] {
  return [...read('alerts.yml').matchAll(/^ +expr: (.*)$/gm)].map(([, expr = '']) => expr);
}

for (const [what, expressions] of Object.entries({
  dashboard: expressionsOfDashboard(),
  alerts: expressionsOfAlerts(),
})) {
  test(`the gateway exports every metric in the ${what}`, () => {
    const used = seriesIn(expressions);
    assert.ok(used.length >= expressions.length && expressions.length > 10, `${used.length} names`);
    assert.deepEqual(
      used.filter((name) => !names.has(name) && !PROMETHEUS_METRICS.includes(name)),
      [],
    );
  });
}

test('the monitoring document lists every metric, in full or with a wildcard', () => {
  const documented = [...read('README.md').matchAll(/`([a-z_*]+)(?:\{[^}]*\})?`/g)].map(
    ([, name = '']) => name,
  );
  const patterns = documented.map((name) => new RegExp(`^cartwright_${name.replaceAll('*', '.*')}$`));
  const families = [...exposition.matchAll(/^# TYPE (cartwright_\S+) /gm)].map(([, name = '']) => name);
  const undocumented = families.filter((name) => !patterns.some((pattern) => pattern.test(name)));
  assert.deepEqual(undocumented, []);
});

if (hasPromtool) {
  test('promtool accepts the exported metrics', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: exposition });
    assert.equal(status, 0, `${stdout}${stderr}`);
  });

  test('promtool accepts the alert rules', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(folder, 'alerts.yml')]);
    assert.equal(status, 0, `${stdout}${stderr}`);
  });
} else process.stdout.write('SKIPPED: promtool on metrics and rules (prometheus is not installed)\n');

test.run();
