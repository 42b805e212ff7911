import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';
import { type SampleRelease, sampleRelease, signingKey } from '../../helpers/sample-release.js';

const test = suite('the boot kit');

const PROGRAM = join(packageRoot(), 'dist/src/cli/boot-kit.js');
const KEY = signingKey();
const SAMPLE = sampleRelease({ key: KEY, version: '0.3.0', architecture: 'arm64' });
const RELEASE = SAMPLE.file;
const FORM = `# a form
host_name = cart-7
cart_number = 7
time_zone = Europe/Amsterdam
wifi_name = Work"shop: #1
wifi_password = p: 'a"ss\\word
wifi_country = NL
user_name =
ssh_key =
`;
const SSH_KEY = `ssh-ed25519 ${'A'.repeat(68)} anna@laptop`;

const dir = mkdtempSync(join(tmpdir(), 'boot-kit-'));
test.before(() => {
  writeFileSync(join(dir, 'key.pub'), KEY.pem);
  writeRelease(RELEASE, SAMPLE);
});
test.after(() => rmSync(dir, { recursive: true }));

function writeRelease(
  name: string,
  { archive, signature }: Pick<SampleRelease, 'archive' | 'signature'>,
): string {
  writeFileSync(join(dir, name), archive);
  writeFileSync(join(dir, `${name}.sig`), signature);
  return join(dir, name);
}

let count = 0;

interface Made {
  kit: string;
  status: number;
  output: string;
  errors: string;
}

async function make(form: string, release = join(dir, RELEASE)): Promise<Made> {
  count += 1;
  const [path, kit] = [join(dir, `form-${count}`), join(dir, `kit-${count}`)];
  writeFileSync(path, form);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      PROGRAM,
      '--key',
      join(dir, 'key.pub'),
      path,
      release,
      kit,
    ]);
    return { kit, status: 0, output: stdout, errors: '' };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { kit, status: code, output: '', errors: stderr };
  }
}

/** cloud-init reads YAML, of which JSON is a subset. */
function fileIn(kit: string, name: string): Record<string, unknown> {
  const [first = '', ...rest] = readFileSync(join(kit, name), 'utf8').split('\n');
  return JSON.parse(name === 'user-data' ? rest.join('\n') : [first, ...rest].join('\n'));
}

test('prints its usage on request', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--help']);
  assert.match(stdout, /^usage: npm run boot-kit -- FORM RELEASE/);
});

test('writes the release, its installer and the cloud-init files', async () => {
  const { kit, status, errors } = await make(FORM);
  assert.equal(status, 0, errors);
  assert.deepEqual(readdirSync(kit).sort(), ['cartwright', 'meta-data', 'network-config', 'user-data']);
  assert.deepEqual(readdirSync(join(kit, 'cartwright')).sort(), [
    RELEASE,
    `${RELEASE}.sig`,
    'config.json',
    'first-boot.service',
    'setup-code.txt',
    'systemd',
  ]);
  for (const name of ['first-boot.sh', 'install.sh', 'release.pub'])
    assert.ok(existsSync(join(kit, 'cartwright/systemd', name)), name);
  assert.match(readFileSync(join(kit, 'user-data'), 'utf8'), /^#cloud-config\n/);
  const user = fileIn(kit, 'user-data');
  assert.deepEqual([user.hostname, user.timezone, user.users], ['cart-7', 'Europe/Amsterdam', []]);
  const config = JSON.parse(readFileSync(join(kit, 'cartwright/config.json'), 'utf8'));
  assert.deepEqual(config.settings, { gateway: { cartID: 7, name: 'cart-7' } });
  assert.equal(config.dataDir, undefined);
});

test('prints the setup code that the kit contains, which differs between kits', async () => {
  const [first, second] = await Promise.all([make(FORM), make(FORM)]);
  const codes = [first, second].map(({ kit }) =>
    readFileSync(join(kit, 'cartwright/setup-code.txt'), 'utf8').trim(),
  );
  assert.match(codes[0] ?? '', /^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/);
  assert.ok(first.output.includes(`http://cart-7.local:3000/setup\nSetup code: ${codes[0]}`), first.output);
  assert.notEqual(codes[0], codes[1]);
});

test('the boot kit contains the Wi-Fi name and password unchanged', async () => {
  const { kit } = await make(FORM);
  const { wifis } = fileIn(kit, 'network-config') as { wifis: { wlan0: Record<string, unknown> } };
  assert.deepEqual(wifis.wlan0['access-points'], { 'Work"shop: #1': { password: `p: 'a"ss\\word` } });
  assert.equal(wifis.wlan0['regulatory-domain'], 'NL');
});

test('uses only the wired network if the form has no Wi-Fi name', async () => {
  const { kit } = await make(FORM.replace(/wifi_name = .*/, 'wifi_name ='));
  assert.equal(fileIn(kit, 'network-config').wifis, undefined);
});

test('assigns a new instance ID to each kit', async () => {
  const ids = await Promise.all(
    [make(FORM), make(FORM)].map(async (made) => fileIn((await made).kit, 'meta-data')['instance-id']),
  );
  assert.notEqual(ids[0], ids[1]);
});

test('adds an SSH user that can log in only with the key', async () => {
  const form = FORM.replace('user_name =', 'user_name = anna').replace('ssh_key =', `ssh_key = ${SSH_KEY}`);
  const { users, ssh_pwauth } = fileIn((await make(form)).kit, 'user-data') as {
    users: Record<string, unknown>[];
    ssh_pwauth: boolean;
  };
  assert.equal(ssh_pwauth, false);
  assert.deepEqual(users[0]?.ssh_authorized_keys, [SSH_KEY]);
  assert.equal(users[0]?.lock_passwd, true);
});

for (const [field, line, fault] of [
  ['host_name', 'host_name = Cart_7', /line 2: host_name must be 1 to 63 lower-case letters/],
  ['cart_number', 'cart_number = 0', /line 3: cart_number must be/],
  ['cart_number', 'cart_number = seven', /line 3: cart_number must be/],
  ['time_zone', 'time_zone = Mars/Base', /line 4: time_zone must be/],
  ['wifi_name', `wifi_name = ${'é'.repeat(17)}`, /line 5: wifi_name must be at most 32 bytes/],
  ['wifi_password', 'wifi_password = short', /line 6: wifi_password must be 8 to 63/],
  ['wifi_password', 'wifi_password =', /wifi_password is missing/],
  ['wifi_country', 'wifi_country = Netherlands', /line 7: wifi_country must be two capital letters/],
  ['user_name', 'user_name = root', /line 8: user_name must be/],
  ['user_name', 'user_name = anna', /user_name and ssh_key must both be set/],
  ['ssh_key', 'ssh_key = -----BEGIN OPENSSH PRIVATE KEY-----', /line 9: ssh_key must be one line/],
  [
    'host_name',
    'hostname = cart-7',
    /line 2: expected a line such as host_name = cart-1\nhost_name is missing/,
  ],
  ['user_name', 'host_name = cart-8', /line 8: host_name is already set/],
] as const) {
  test(`rejects ${line}, and writes nothing`, async () => {
    const { kit, status, errors } = await make(FORM.replace(new RegExp(`^${field} = ?.*$`, 'm'), line));
    assert.equal(status, 1);
    assert.match(errors, fault);
    assert.equal(existsSync(kit), false);
  });
}

const OTHER = sampleRelease({ key: signingKey(), version: '0.3.0', architecture: 'arm64' });
const CHANGED = { archive: Buffer.concat([SAMPLE.archive, Buffer.from(' ')]), signature: SAMPLE.signature };
for (const [what, name, files, fault] of [
  ['a release signed with another key', 'cartwright-0.3.0-arm64.tar.gz', OTHER, /is not signed with the key/],
  ['a changed release', 'cartwright-0.3.0-arm64.tar.gz', CHANGED, /is incomplete or was changed/],
  ['a renamed release', 'cartwright-0.4.0-arm64.tar.gz', SAMPLE, /has the signature of another release/],
  ['a release with a different name', 'release.tar.gz', SAMPLE, /is not named cartwright-VERSION-PROCESSOR/],
] as const) {
  test(`rejects ${what}, and writes nothing`, async () => {
    const { kit, status, errors } = await make(FORM, writeRelease(name, files));
    writeRelease(RELEASE, SAMPLE);
    assert.equal(status, 1);
    assert.match(errors, fault);
    assert.equal(existsSync(kit), false);
  });
}

test('rejects a release without a signature file, and writes nothing', async () => {
  const unsigned = writeRelease('cartwright-0.3.1-arm64.tar.gz', SAMPLE);
  rmSync(`${unsigned}.sig`);
  const { kit, status, errors } = await make(FORM, unsigned);
  assert.equal(status, 1);
  assert.match(errors, /cartwright-0\.3\.1-arm64\.tar\.gz\.sig/);
  assert.equal(existsSync(kit), false);
});

test('rejects an existing directory and leaves its contents unchanged', async () => {
  count += 1;
  const kit = join(dir, `kit-${count}`);
  writeFileSync(kit, 'a file');
  count -= 1;
  const { status } = await make(FORM);
  assert.equal(status, 1);
  assert.equal(readFileSync(kit, 'utf8'), 'a file');
});

test.run();
