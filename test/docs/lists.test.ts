import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { SCOPES } from '../../src/access/schema.js';
import { openApi } from '../../src/app/api/openapi.js';
import { isBackupDue } from '../../src/shared/backup-due.js';
import { packageRoot } from '../../src/shared/package-root.js';
import { FAULT_VERBS } from '../../src/simulator/controller/faults.js';

const test = suite('lists in the documents');

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** Returns the names in the first column of the table with this header. */
function firstColumn(path: string, header: string): string[] {
  const [, table = ''] = read(path).split(`| ${header} |`);
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

test('docs/development.md lists every script in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const listed = firstColumn('docs/development.md', 'Command').flatMap(
    (command) => /^npm (?:run )?([a-z0-9:-]+)/.exec(command)?.[1] ?? [],
  );
  assert.deepEqual(listed.toSorted(), Object.keys(scripts).toSorted());
});

test('docs/settings.md lists every environment variable', () => {
  const files = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' });
  const code = files
    .filter((file) => file.endsWith('.ts') && !file.includes('simulat'))
    .map((file) => read(join('src', file)))
    .join('\n');
  const used = [
    ...code.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g),
    ...code.matchAll(/\b(CARTWRIGHT_[A-Z0-9_]+)/g),
    ...code.matchAll(/'((?:STRIPE|MQTT)_[A-Z0-9_]+)'/g),
    ...read('src/app/config.ts').matchAll(/^ {2}([A-Z_]+): '/gm),
  ].map(([, name = '']) => name);
  // Excludes variables that systemd sets, or that the gateway sets for its camera process.
  const internal = /^(CREDENTIALS_DIRECTORY|RUNTIME_DIRECTORY|PATH|CARTWRIGHT_CAMERA_\w+)$/;
  const expected = [...new Set(used)].filter((name) => !internal.test(name));
  assert.deepEqual(firstColumn('docs/settings.md', 'Variable').toSorted(), expected.toSorted());
});

test('docs/http-api.md lists every scope', () => {
  const listed = firstColumn('docs/http-api.md', 'Scope');
  assert.deepEqual(listed.toSorted(), [...SCOPES, 'mqtt:cart:<cartID>'].toSorted());
});

/** The permission that a route requires, as named in the table of scopes in docs/http-api.md. */
const SUBJECTS: readonly (readonly [route: RegExp, subject: RegExp])[] = [
  [/^GET \/(fleet|carts.*)?$/, /carts/],
  [/^GET \/commands/, /commands/],
  [/^GET \/events$/, /live events/],
  [/^POST \/$/, /send commands/],
  [/^POST \/carts\/\{cartID\}\/duplicate/, /confirm that a cart number is unique/],
  [/^POST .*\/?(stop|estop|mine)$/, /stop carts/],
  [/^POST \/estop\/reset$/, /reset/],
  [/^GET \/navigation\/(approach|sightings)$/, /markers?/],
  [/^POST \/navigation\/approach$/, /drive to markers/],
  [/^\w+ \/navigation\/calibration/, /calibrate the camera/],
  [/\/simulator$/, /simulator/],
  [/\/(beacon|beacons\/import)(\/|$)/, /beacons/],
  [/\/beacons\/observed$/, /sightings/],
  [/\/markers/, /delete markers/],
  [/\/games/, /catalogue/],
  [/\/payments\/cart/, /baskets/],
  [/\/payments\/order$/, /place orders/],
  [/^PATCH \/payments\/updateStatus/, /set the status/],
  [/\/payments/, /payments/],
  [/\/orders\/stats$/, /order statistics/],
  [/\/cameraSettings$/, /Camera page/],
  [/\/runCamera$/, /take photos/],
  [/\/camera\/photos/, /photos/],
  [/\/camera\//, /live view/],
  [/^GET \/variables/, /Read settings/],
  [/\/updateJson$/, /change them/],
  [/\/metrics$/, /metrics/],
];

test('docs/http-api.md describes everything that each scope permits', () => {
  const { paths } = openApi() as { paths: Record<string, Record<string, { description: string }>> };
  const text = read('docs/http-api.md');
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { description }] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path}`;
      const [, keys = ''] = /Keys: ([^.]*)\./.exec(description) ?? [];
      for (const [, scope = ''] of keys.matchAll(/`([^`]+)`/g)) {
        const subject = SUBJECTS.find(([pattern]) => pattern.test(route))?.[1];
        assert.ok(subject, `${route} has no subject in this test`);
        const [row = ''] = text.split('\n').filter((line) => line.startsWith(`| \`${scope}\` |`));
        assert.match(row, subject, `${route} with ${scope}`);
      }
    }
  }
});

test('docs/operating.md states when a daily backup is due', () => {
  const { groups } =
    /Between (?<from>\d\d):00 and\s(?<to>\d\d):00 [^.]*?(?<night>\d+) hours [^.]*\.[^.]*?(?<day>\d+) hours old\./.exec(
      read('docs/operating.md'),
    ) ?? {};
  assert.ok(groups, 'the sentence about the daily backup is missing');
  const { from, to, night, day } = groups;
  const due = (hour: number, ageHours: number): boolean => {
    const at = new Date(2026, 5, 1, hour).getTime();
    return isBackupDue(at, at - ageHours * 3_600_000, 0);
  };
  for (let hour = 0; hour < 24; hour += 1) {
    const isNight = hour >= Number(from) && hour < Number(to);
    const hours = Number(isNight ? night : day);
    assert.deepEqual([due(hour, hours - 0.1), due(hour, hours)], [false, true], `at ${hour}:00`);
  }
});

test('docs/development.md lists every simulator fault', () => {
  assert.deepEqual(firstColumn('docs/development.md', 'Fault').toSorted(), FAULT_VERBS.toSorted());
});

test.run();
