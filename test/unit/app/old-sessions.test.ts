import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { rememberSession } from '../../../src/app/old-sessions.js';
import { RecordingLog } from '../../helpers/recording-log.js';

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sessions-'));
  await run(folder).finally(() => rm(folder, { recursive: true }));
}

test('returns the sessions of earlier starts, but not the current session', () =>
  withFolder(async (folder) => {
    const log = new RecordingLog();
    assert.deepEqual([...(await rememberSession(folder, 'first', log))], []);
    assert.deepEqual([...(await rememberSession(folder, 'second', log))], ['first']);
    assert.deepEqual([...(await rememberSession(folder, 'third', log))], ['first', 'second']);
  }));

test('keeps the latest 50 sessions of earlier starts', () =>
  withFolder(async (folder) => {
    const log = new RecordingLog();
    const many = Array.from({ length: 60 }, (_, at) => `s${at}`);
    await writeFile(join(folder, 'sessions.json'), JSON.stringify(many));
    await rememberSession(folder, 'new', log);
    const stored = JSON.parse(await readFile(join(folder, 'sessions.json'), 'utf8')) as string[];
    assert.deepEqual([stored.length, stored[0], stored.at(-1)], [50, 's11', 'new']);
  }));

test('starts without sessions when the file is damaged, and logs a failed write', () =>
  withFolder(async (folder) => {
    const log = new RecordingLog();
    await writeFile(join(folder, 'sessions.json'), '{"a":');
    assert.equal((await rememberSession(folder, 'new', log)).size, 0);
    assert.equal((await rememberSession(join(folder, 'missing'), 'new', log)).size, 0);
    assert.deepEqual(log.events(), ['sessions.write_failed']);
  }));

test.run();
