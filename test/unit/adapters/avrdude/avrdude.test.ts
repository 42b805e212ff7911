import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { Avrdude } from '../../../../src/adapters/avrdude/avrdude.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { FlashEnd, FlashJob, FlashProgress } from '../../../../src/shared/ports/serial.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { until } from '../../../helpers/until.js';

const JOB: FlashJob = { board: 'mega', path: '/dev/ttyUSB0; reboot', sections: ['one', 'two'] };
const dirs: string[] = [];
test.after(async () => {
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

/** A shell script takes the place of avrdude; it can read `$DIR`, the test's folder. */
async function fakeAvrdude(script: string, clock = systemClock) {
  const dir = await mkdtemp(join(tmpdir(), 'avrdude-'));
  dirs.push(dir);
  const text = `#!/bin/sh\nDIR='${dir}'\n${script}\n`;
  await writeFile(join(dir, 'avrdude'), text, { mode: 0o700 });
  return { dir, avrdude: new Avrdude({ dataDir: dir, clock, log: quietLog, searchPath: dir }) };
}

const reasonOf = (end: FlashEnd): string => (end.outcome === 'failed' ? textOf(end.reason) : end.outcome);
const bar = (label: string, marks: number): string => `${label} | ${'#'.repeat(marks)}`;

test('passes the board, the device and the sections as separate arguments', async () => {
  const { dir, avrdude } = await fakeAvrdude(
    'printf "%s\\n" "$@" > "$DIR/args"; cat *-0.hex *-1.hex > "$DIR/sections"',
  );
  assert.deepEqual(await avrdude.flash(JOB, () => undefined), { outcome: 'flashed' });
  const args = (await readFile(join(dir, 'args'), 'utf8')).trimEnd().split('\n');
  assert.deepEqual(args.slice(0, 9), ['-D', '-c', 'wiring', '-p', 'm2560', '-b', '115200', '-P', JOB.path]);
  assert.match(args.slice(9).join(' '), /^-U flash:w:(\w+)-0\.hex:i -U flash:w:\1-1\.hex:i$/);
  assert.equal(await readFile(join(dir, 'sections'), 'utf8'), 'onetwo');
  assert.equal(existsSync(join(dir, 'firmware-files')), false);
});

test('reports the progress of each section even from incomplete lines', async () => {
  const output = [
    'avrdude: writing\n\nWriting',
    ' | ',
    '#'.repeat(25),
    `${'#'.repeat(25)} | 100% 0.5s\n`,
    `${bar('Reading', 50)} | 100% 0.01s\n`,
    bar('Writing', 10),
    '#'.repeat(40),
    '\n',
    bar('Reading', 5),
  ];
  const script = output.map((text) => `printf '${text.replaceAll('\n', '\\n')}' >&2; sleep 0.05`).join('\n');
  const { avrdude } = await fakeAvrdude(script);
  const seen: FlashProgress[] = [];
  await avrdude.flash(JOB, (progress) => seen.push(progress));
  const steps = [...new Set(seen.map(({ section, step }) => `${section} ${step}`))];
  assert.deepEqual(steps, ['0 write', '0 verify', '1 write', '1 verify']);
  assert.deepEqual(seen.at(-1), { section: 1, step: 'verify', percent: 10 });
  assert.ok(seen.some(({ percent, step }) => step === 'write' && percent === 100));
});

const FAILURES: readonly [title: string, output: string, reason: RegExp][] = [
  ['a missing device', 'cannot open port /dev/nope: No such file or directory', /could not be opened.*nope/],
  ['a silent boot loader', 'unable to open programmer arduino on port /dev/ttyUSB0', /did not respond/],
  ['a different board', 'expected signature for ATmega2560 is 1E 98 01', /microcontroller does not match/],
  ['a verification mismatch', 'avrdude error: verification mismatch', /memory does not match/],
  ['an unknown error', 'avrdude error: strange fault', /strange fault/],
];
for (const [title, output, reason] of FAILURES) {
  test(`explains the failure caused by ${title}`, async () => {
    const { avrdude } = await fakeAvrdude(`echo '${output}' >&2; exit 1`);
    assert.match(reasonOf(await avrdude.flash(JOB, () => undefined)), reason);
  });
}

test('kills a program that does not produce output', async () => {
  const clock = new FakeClock();
  const { dir, avrdude } = await fakeAvrdude('exec sleep 600', clock);
  const end = avrdude.flash(JOB, () => undefined);
  await until(async () => existsSync(join(dir, 'avrdude.pid')));
  clock.advance(31_000);
  assert.match(reasonOf(await end), /did not respond for/);
});

test('stop() kills the program and resolves when the program has exited', async () => {
  const { dir, avrdude } = await fakeAvrdude('exec sleep 600');
  const end = avrdude.flash(JOB, () => undefined);
  await until(async () => existsSync(join(dir, 'avrdude.pid')));
  await avrdude.stop();
  assert.deepEqual(await end, { outcome: 'stopped' });
});

test('clear() kills a program left running by a killed gateway', async () => {
  const { dir, avrdude } = await fakeAvrdude('while :; do sleep 0.1; done');
  const end = avrdude.flash(JOB, () => undefined);
  await until(async () => existsSync(join(dir, 'avrdude.pid')));
  const next = new Avrdude({ dataDir: dir, clock: systemClock, log: quietLog, searchPath: dir });
  assert.equal(await next.clear(), true);
  assert.equal((await end).outcome, 'failed');
  assert.equal(await next.clear(), false);
});

test('finds avrdude only in the search path', async () => {
  const { dir, avrdude } = await fakeAvrdude('');
  assert.equal(avrdude.isInstalled(), true);
  await rm(join(dir, 'avrdude'));
  assert.equal(avrdude.isInstalled(), false);
  assert.match(reasonOf(await avrdude.flash(JOB, () => undefined)), /could not be started/);
});

test.run();
