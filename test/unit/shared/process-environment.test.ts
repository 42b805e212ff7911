import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { GpiodChild } from '../../../src/adapters/gpio/gpiod-tools.js';
import { watchTimeSync } from '../../../src/adapters/systemd/time-sync.js';
import { systemClock } from '../../../src/shared/clock.js';
import { childEnvironment } from '../../../src/shared/process-environment.js';

const SECRETS = {
  CARTWRIGHT_ADMIN_PASSWORD: 'unmistakable',
  STRIPE_API_KEY: 'unmistakable',
  STRIPE_WEBHOOK_SECRET: 'unmistakable',
  MQTT_PASSWORD: 'unmistakable',
  CARTWRIGHT_SITE_KEY: 'unmistakable',
  CARTWRIGHT_SETUP_CODE: 'unmistakable',
  CREDENTIALS_DIRECTORY: '/run/credentials/unmistakable',
  NOTIFY_SOCKET: '/run/unmistakable',
};

/** Runs a test with secrets in the environment and fake programs that record their environment. */
async function withPrograms(names: string[], run: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'child-environment-'));
  const { PATH } = process.env;
  for (const name of names) {
    await writeFile(join(dir, name), `#!/bin/sh\nenv >'${dir}/${name}.env'\nprintf 'a,Normal\\n'\n`);
    await chmod(join(dir, name), 0o755);
  }
  Object.assign(process.env, SECRETS, { PATH: `${dir}:${PATH}` });
  try {
    await run(dir);
    for (const name of names) {
      const environment = await readFile(join(dir, `${name}.env`), 'utf8');
      assert.match(environment, /^PATH=/m);
      assert.ok(!environment.includes('unmistakable'), `${name}: ${environment}`);
    }
  } finally {
    process.env.PATH = PATH;
    for (const name of Object.keys(SECRETS)) delete process.env[name];
    await rm(dir, { recursive: true });
  }
}

test("chronyc does not receive the gateway's secrets", () =>
  withPrograms(['chronyc'], async (dir) => {
    await mkdir(join(dir, 'chrony'));
    const sync = await watchTimeSync({ clock: systemClock, runDir: dir });
    sync.close();
    assert.equal(sync.synced(), true);
  }));

test("GPIO tools do not receive the gateway's secrets", () =>
  withPrograms(['gpiomon'], async () => {
    await new GpiodChild(['gpiomon']).ended;
  }));

test('a child process receives only the permitted variables and the variables passed by the caller', () => {
  const given = { ...SECRETS, PATH: '/bin', LANG: 'nl_NL.UTF-8', LIBCAMERA_LOG_LEVELS: 'WARN', PORT: '3000' };
  assert.deepEqual(childEnvironment({ LC_ALL: 'C' }, given), {
    PATH: '/bin',
    LANG: 'nl_NL.UTF-8',
    LIBCAMERA_LOG_LEVELS: 'WARN',
    LC_ALL: 'C',
  });
});

test.run();
