import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { formatHex } from '../../../../src/carts/firmware/intel-hex.js';
import { ReleaseFirmware } from '../../../../src/carts/firmware/release.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

const HEX = 'firmware/build/cgw1-uno.hex';
const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** A folder with a firmware build and, if `isSigned`, the files of systemd/sign.sh. */
async function release({
  isSigned = true,
  program = formatHex({ start: 0, bytes: Buffer.alloc(999, 1) }),
} = {}) {
  const root = await mkdtemp(join(tmpdir(), 'release-'));
  folders.push(root);
  for (const folder of ['firmware/build', 'systemd']) await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, HEX), program);
  const facts = { version: '1.2.0', revision: 'abc', configured: false };
  await writeFile(join(root, 'firmware/build/firmware.json'), JSON.stringify(facts));
  if (!isSigned) return root;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const list = `${createHash('sha256').update(program).digest('hex')}  ./${HEX}\n`;
  await writeFile(join(root, 'SHA256SUMS'), list);
  await writeFile(join(root, 'SHA256SUMS.sig'), sign(null, Buffer.from(list), privateKey));
  await writeFile(join(root, 'systemd/release.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  return root;
}

const readUno = async (root: string) => (await ReleaseFirmware.open(root, quietLog)).read('uno');

test('returns the firmware of a signed release and of a development build', async () => {
  for (const isSigned of [true, false]) {
    const firmware = await ReleaseFirmware.open(await release({ isSigned }), quietLog);
    const facts = { version: '1.2.0', revision: 'abc', isConfigured: false, isSigned };
    assert.deepEqual(firmware.facts, facts);
    const { sections, sha256 } = await firmware.read('uno');
    assert.equal(sections.length, 3);
    assert.match(sha256, /^[0-9a-f]{64}$/);
  }
});

test('rejects a file that is not the signed file', async () => {
  const root = await release();
  await writeFile(join(root, HEX), formatHex({ start: 0, bytes: Buffer.alloc(999, 2) }));
  await assert.rejects(readUno(root), hasCode('FIRMWARE_IMAGE'));
});

test('rejects a list of files that was changed after it was signed', async () => {
  const root = await release();
  const firmware = await ReleaseFirmware.open(root, quietLog);
  const program = formatHex({ start: 0, bytes: Buffer.alloc(999, 3) });
  await writeFile(join(root, HEX), program);
  await writeFile(
    join(root, 'SHA256SUMS'),
    `${createHash('sha256').update(program).digest('hex')}  ./${HEX}\n`,
  );
  await assert.rejects(firmware.read('uno'), hasCode('FIRMWARE_IMAGE'));
});

test('rejects a missing file or a file that is not a program', async () => {
  const missing = await release({ isSigned: false });
  await rm(join(missing, HEX));
  await assert.rejects(readUno(missing), hasCode('FIRMWARE_IMAGE'));
  await assert.rejects(readUno(await release({ program: 'nonsense' })), hasCode('FIRMWARE_IMAGE'));
});

test('reports that a release does not contain firmware', async () => {
  const root = await release({ isSigned: false });
  await rm(join(root, 'firmware'), { recursive: true });
  assert.equal((await ReleaseFirmware.open(root, quietLog)).facts, undefined);
});

test.run();
