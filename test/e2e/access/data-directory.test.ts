import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';

const test = suite('the data directory');

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('startup sets mode 0700 on directories and 0600 on files, regardless of the umask', async () => {
  const before = process.umask(0o002);
  const gateway = await GatewayProcess.start();
  const data = join(gateway.dir, 'data');
  try {
    assert.equal(await modeOf(data), '700', 'created by the gateway');
    await gateway.kill('SIGTERM');
    const folders = [data, ...['backups', 'photos', 'plan'].map((name) => join(data, name))];
    for (const folder of folders) {
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o775);
    }
    await gateway.spawn();
    for (const folder of folders) assert.equal(await modeOf(folder), '700', folder);
    for (const name of await readdir(data)) {
      const path = join(data, name);
      if ((await stat(path)).isFile()) assert.equal(await modeOf(path), '600', path);
    }
  } finally {
    process.umask(before);
    await gateway.close();
  }
});

test.run();
