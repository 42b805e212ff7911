import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { runFiles, type Totals } from './helpers/run-files.js';

const test = suite('the test runner');

const LONG_MS = 300_000;

async function runLines(
  lines: string,
  limitMs = LONG_MS,
  signal?: AbortSignal,
): Promise<Totals & { output: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'runner-'));
  try {
    const head = `import { test } from '${import.meta.resolve('uvu')}';`;
    writeFileSync(join(dir, 'one.test.mjs'), `${head}\n${lines}\ntest.run();`);
    let output = '';
    const print = (text: string): void => {
      output += text;
    };
    const options = { jobs: 1, limitMs, print, ...(signal ? { signal } : {}) };
    return { ...(await runFiles(dir, ['one.test.mjs'], options)), output };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const PASSES = "test('passes', () => {});";

test("counts the tests in a file and removes the summary from the file's output", async () => {
  const { output, ...totals } = await runLines(`${PASSES} ${PASSES} test.skip('later', () => {});`);
  assert.deepEqual(totals, { total: 2, passed: 2, skipped: 1, repeated: 0, failed: [] });
  assert.match(output, /^one\.test\.mjs {2}\d+\.\d s\n/);
  assert.doesNotMatch(output, /Total:|FAILED/);
});

test('runs only the named file when other folders contain files of the same name', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'runner-'));
  try {
    for (const folder of ['one', 'one/two', 'three']) {
      mkdirSync(join(dir, folder));
      const text = `import { test } from '${import.meta.resolve('uvu')}'; ${PASSES} test.run();`;
      writeFileSync(join(dir, folder, 'same.test.mjs'), text);
    }
    let output = '';
    const print = (text: string): void => {
      output += text;
    };
    const { total } = await runFiles(dir, ['one/same.test.mjs'], { jobs: 1, limitMs: LONG_MS, print });
    assert.equal(total, 1);
    assert.match(output, /^one\/same\.test\.mjs {2}\d+\.\d s\n[^s]*$/);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

const FAULTS: Record<string, { lines: string; total: number; passed: number; message: RegExp }> = {
  'a test that fails': {
    lines: `${PASSES} test('fails', () => { throw new Error('no luck'); });`,
    total: 2,
    passed: 1,
    message: /no luck[\s\S]*FAILED: one\.test\.mjs has 1 of 2 tests that did not pass/,
  },
  'a hook that fails': {
    lines: `test.before(() => { throw new Error('no luck'); }); ${PASSES}`,
    total: 1,
    passed: 0,
    message: /FAILED: one\.test\.mjs has 1 of 1 tests that did not pass/,
  },
  'a file that cannot be loaded': {
    lines: "import './missing.js';",
    total: 1,
    passed: 0,
    message: /missing\.js[\s\S]*FAILED: one\.test\.mjs ended with 1/,
  },
  'a process that dies': {
    lines: "test('dies', () => process.kill(process.pid, 'SIGKILL'));",
    total: 1,
    passed: 0,
    message: /FAILED: one\.test\.mjs ended with SIGKILL/,
  },
  'a process that fails after its last test': {
    lines: `${PASSES} process.once('exit', () => { console.error('no luck'); process.exitCode = 3; });`,
    total: 2,
    passed: 1,
    message: /no luck[\s\S]*FAILED: one\.test\.mjs ended with 3/,
  },
};

for (const [name, { lines, total, passed, message }] of Object.entries(FAULTS)) {
  test(`reports ${name}`, async () => {
    const { output, ...totals } = await runLines(lines);
    assert.deepEqual(totals, { total, passed, skipped: 0, repeated: 0, failed: ['one.test.mjs'] });
    assert.match(output, message);
  });
}

test('counts the attempts that were repeated because the control loop was late', async () => {
  const helper = new URL('./helpers/repeat-once.js', import.meta.url).href;
  const { repeated, passed, failed } = await runLines(`
    const { repeatOnce } = await import('${helper}');
    for (const codes of [['LOOP_LAG', 'ok'], ['ok'], ['LOOP_LAG', 'LOOP_LAG', 'ok'], ['SERIAL_LOST', 'ok']])
      test(codes.join(), async () => {
        const code = await repeatOnce(async () => codes.shift(), (code) => code);
        if (code !== 'ok') throw new Error(code);
      });`);
  assert.deepEqual([repeated, passed, failed], [2, 2, ['one.test.mjs']]);
});

test('kills a test file that hangs and reports its name', async () => {
  const { output, failed } = await runLines('await new Promise(() => setInterval(() => {}, 1000));', 100);
  assert.deepEqual(failed, ['one.test.mjs']);
  assert.match(output, /FAILED: one\.test\.mjs took longer than 0\.1 s and was killed/);
});

test('ends a test file that failed, although its process would continue to run', async () => {
  const { output, total } = await runLines(`
    ${PASSES} test('fails', () => { setInterval(() => {}, 1000); throw new Error('no luck'); });`);
  assert.equal(total, 2);
  assert.match(output, /no luck[\s\S]*FAILED: one\.test\.mjs has 1 of 2 tests that did not pass/);
});

test('kills running test files when the runner is interrupted', async () => {
  const lines = 'await new Promise(() => setInterval(() => {}, 1000));';
  const interrupt = new AbortController();
  const run = runLines(lines, LONG_MS, interrupt.signal);
  interrupt.abort();
  const { output } = await run;
  assert.match(output, /FAILED: one\.test\.mjs was interrupted/);
});

test.run();
