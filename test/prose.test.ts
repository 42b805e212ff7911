import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../src/shared/package-root.js';

const test = suite('prose check');

const PLANTED: Readonly<Record<string, string>> = {
  'src/carts/cart.ts': '/** Whoever drives is told about it. */\n',
  'src/carts/messages.ts': "export const text = 'nobody can log in anew';\n",
  'src/web/page.css': '/* It stands at the top. */\n',
  'views/page.html': '<button>Tell the cart</button>\n',
  'docs/page.md': 'The gateway is told at once.\n',
  'firmware/board.ino': '// The board says so.\n',
  'test/unit/cart.test.ts': "test('whoever asks is told 403', () => undefined);\n",
  'bench/cart.ts': '// The client has heard it.\n',
  'systemd/cartwright.service': '# He starts it at boot.\n',
  '.ci/run': '# Nobody waits for it.\n',
  'README.md': 'The cart is told to stop.\n',
};

const ACCEPTED: Readonly<Record<string, string>> = {
  'src/carts/cart.ts': "/** Stops the cart; see `told`. */\nconst told = 'nobody';\nexport default told;\n",
  'docs/page.md': 'Nothing is wrong here.\n\n```\nnobody:x:65534\n```\n',
  'test/unit/cart.test.ts': "test('rejects it', () => request('whoever asks is told'));\n",
};

function check(files: Readonly<Record<string, string>>): { status: number | null; stdout: string } {
  const folder = mkdtempSync(join(tmpdir(), 'prose-'));
  try {
    const git = (...args: string[]) => spawnSync('git', args, { cwd: folder });
    git('init', '--quiet');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    git('add', '.');
    cpSync(join(packageRoot(), 'scripts/prose.js'), join(folder, 'scripts/prose.mjs'));
    return spawnSync(process.execPath, ['scripts/prose.mjs', ...Object.keys(files)], {
      cwd: folder,
      encoding: 'utf8',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const [path, content] of Object.entries(PLANTED))
  test(`reports a faulty sentence in ${path}`, () => {
    const { status, stdout } = check({ [path]: content });
    assert.equal(status, 1);
    assert.ok(stdout.startsWith(`${path}:1: `), stdout);
  });

test('accepts plain sentences, identifiers, code blocks and strings inside tests', () => {
  const { status, stdout } = check(ACCEPTED);
  assert.deepEqual([status, stdout], [0, '']);
});

test.run();
