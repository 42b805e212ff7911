import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { HARD } from '../carts/pure.js';
import { GatewayError, hintOf, messageOf } from '../shared/errors.js';
import { textOf } from '../shared/messages/message.js';
import { packageRoot } from '../shared/package-root.js';

const USAGE = `usage: npm run boot-kit -- FORM RELEASE.tar.gz DIRECTORY

Writes the files for the boot partition of an SD card with Raspberry Pi OS to DIRECTORY, which must not exist.
FORM is a copy of config/boot-kit.conf. RELEASE.tar.gz is a signed release with Node; its signature
RELEASE.tar.gz.sig must be in the same folder.
  --key FILE   public key of the release (default: systemd/release.pub)
`;

/** Folder on the boot partition. */
const FOLDER = 'cartwright';
const BOOT = '/boot/firmware';

interface Field {
  isValid(value: string): boolean;
  /** Completes the error message `NAME must be …`. */
  rule: string;
  isOptional?: boolean;
}

const FIELDS: Readonly<Record<string, Field>> = {
  host_name: {
    isValid: (value) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value),
    rule: '1 to 63 lower-case letters, digits and hyphens, and neither begin nor end with a hyphen',
  },
  cart_number: {
    isValid: (value) => /^[1-9]\d{0,9}$/.test(value) && Number(value) <= HARD.cartIdMax,
    rule: `a whole number from 1 to ${HARD.cartIdMax}`,
  },
  time_zone: {
    isValid: (value) => value === 'UTC' || Intl.supportedValuesOf('timeZone').includes(value),
    rule: 'a time zone, such as Europe/Amsterdam or UTC',
  },
  wifi_name: {
    isValid: (value) => Buffer.byteLength(value) <= 32,
    rule: 'at most 32 bytes',
    isOptional: true,
  },
  wifi_password: {
    isValid: (value) => /^[\x20-\x7e]{8,63}$|^[0-9a-fA-F]{64}$/.test(value),
    rule: '8 to 63 printable ASCII characters or 64 hexadecimal digits',
    isOptional: true,
  },
  wifi_country: {
    isValid: (value) => /^[A-Z]{2}$/.test(value),
    rule: 'two capital letters, such as NL',
    isOptional: true,
  },
  user_name: {
    isValid: (value) => /^[a-z_][a-z0-9_-]{0,30}$/.test(value) && !['root', 'cartwright'].includes(value),
    rule: '1 to 31 lower-case letters, digits, _ and -, and neither root nor cartwright',
    isOptional: true,
  },
  ssh_key: {
    isValid: (value) =>
      /^(ssh|ecdsa|sk-ssh|sk-ecdsa)-[0-9a-z@.-]+ [0-9A-Za-z+/=]{40,}( [\x20-\x7e]*)?$/.test(value),
    rule: 'one line of an OpenSSH public key file, such as ~/.ssh/id_ed25519.pub',
    isOptional: true,
  },
};

type Form = Record<keyof typeof FIELDS, string>;

/** Parses a form. Throws `INVALID_INPUT` with all errors and their line numbers. */
function formOf(text: string): Form {
  const faults: string[] = [];
  const form: Form = {};
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name = '', value = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const field = FIELDS[name];
    const where = `line ${at + 1}`;
    if (!field) faults.push(`${where}: expected a line such as host_name = cart-1`);
    else if (form[name] !== undefined) faults.push(`${where}: ${name} is already set`);
    else if (value !== '' && !field.isValid(value)) faults.push(`${where}: ${name} must be ${field.rule}`);
    form[name] = value;
  }
  for (const [name, { isOptional }] of Object.entries(FIELDS)) {
    if (!isOptional && !form[name]) faults.push(`${name} is missing`);
  }
  const isSet = (name: string): boolean => Boolean(form[name]);
  if (isSet('wifi_name') && !isSet('wifi_password')) faults.push('wifi_password is missing');
  if (isSet('wifi_name') && !isSet('wifi_country')) faults.push('wifi_country is missing');
  if (isSet('user_name') !== isSet('ssh_key'))
    faults.push('user_name and ssh_key must both be set, or neither');
  if (faults.length > 0) throw new GatewayError('INVALID_INPUT', faults.join('\n'));
  return form;
}

/** Returns the value as JSON, which is valid YAML and needs no further quoting. */
function yaml(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

interface Kit {
  form: Form;
  /** Path of the archive; its signature is in the same folder. */
  release: string;
  /** Path of the public key. */
  key: string;
  setupCode: string;
}

/** cloud-init compares the instance ID with that of the last boot, and ignores changed files if the ID is the same. */
function metaData({ host_name }: Form): string {
  return yaml({
    'instance-id': `cartwright-${host_name}-${randomBytes(4).toString('hex')}`,
    dsmode: 'local',
  });
}

function userData({ host_name, time_zone, user_name, ssh_key }: Form): string {
  const service = `${FOLDER}-first-boot.service`;
  return `#cloud-config\n${yaml({
    hostname: host_name,
    manage_etc_hosts: true,
    timezone: time_zone,
    ssh_pwauth: false,
    users: user_name
      ? [
          {
            name: user_name,
            groups: 'sudo',
            shell: '/bin/bash',
            sudo: 'ALL=(ALL) NOPASSWD:ALL',
            lock_passwd: true,
            ssh_authorized_keys: [ssh_key],
          },
        ]
      : [],
    // cloud-init runs `bootcmd` at every boot, so an installation that was interrupted by a power cut is repeated.
    bootcmd: [
      [
        'sh',
        '-c',
        `test -e /var/lib/${FOLDER}-first-boot || { cp ${BOOT}/${FOLDER}/first-boot.service /etc/systemd/system/${service} && systemctl daemon-reload && systemctl start --no-block ${service}; }`,
      ],
    ],
    ...(user_name ? { runcmd: [['systemctl', 'enable', '--now', 'ssh']] } : {}),
  })}`;
}

function networkConfig({ wifi_name, wifi_password, wifi_country }: Form): string {
  const wired = { eth0: { dhcp4: true, optional: true } };
  if (!wifi_name) return yaml({ version: 2, ethernets: wired });
  const wlan0 = {
    dhcp4: true,
    optional: true,
    'regulatory-domain': wifi_country,
    'access-points': { [wifi_name]: { password: wifi_password } },
  };
  return yaml({ version: 2, ethernets: wired, wifis: { wlan0 } });
}

/** The static configuration with the cart's number and name, without the data directory, which the unit sets. */
function configuration({ cart_number, host_name }: Form): string {
  const { dataDir: _set, ...config } = JSON.parse(
    readFileSync(join(packageRoot(), 'config/default.json'), 'utf8'),
  );
  const settings = { gateway: { cartID: Number(cart_number), name: host_name } };
  return `${JSON.stringify({ ...config, settings }, null, 2)}\n`;
}

const FIRST_BOOT_SERVICE = `[Unit]
Description=Installation of Cartwright from the boot partition
RequiresMountsFor=${BOOT}
# cloud-init sets the host name and the time zone, which the gateway reads when it starts.
After=cloud-config.service

[Service]
Type=oneshot
ExecStart=/bin/bash ${BOOT}/${FOLDER}/systemd/first-boot.sh ${BOOT}/${FOLDER}
StandardOutput=journal+console
`;

function writeKit(target: string, { form, release, key, setupCode }: Kit): void {
  const root = join(packageRoot(), 'systemd');
  const folder = join(target, FOLDER);
  mkdirSync(target);
  mkdirSync(join(folder, 'systemd'), { recursive: true });
  // The programs include the installer, which verifies the release before unpacking it.
  const programs = readdirSync(root).filter((name) => name.endsWith('.sh'));
  for (const program of programs) copyFileSync(join(root, program), join(folder, 'systemd', program));
  copyFileSync(key, join(folder, 'systemd/release.pub'));
  copyFileSync(release, join(folder, basename(release)));
  copyFileSync(`${release}.sig`, join(folder, `${basename(release)}.sig`));
  writeFileSync(join(folder, 'first-boot.service'), FIRST_BOOT_SERVICE);
  writeFileSync(join(folder, 'config.json'), configuration(form));
  writeFileSync(join(folder, 'setup-code.txt'), `${setupCode}\n`);
  writeFileSync(join(target, 'meta-data'), metaData(form));
  writeFileSync(join(target, 'user-data'), userData(form));
  writeFileSync(join(target, 'network-config'), networkConfig(form));
}

/** Throws unless the release is complete and signed with the key. The installer verifies it again on the Pi. */
async function checkRelease(release: string, key: string): Promise<void> {
  const { isSignedBy, parseStatement, releaseKeyOf, releaseNameOf } = await import('../updates/index.js');
  const refuse = (why: string): never => {
    throw new GatewayError('INVALID_INPUT', `${release} ${why}`);
  };
  const name = releaseNameOf(basename(release));
  if (!name || name.isSignature) return refuse('is not named cartwright-VERSION-PROCESSOR.tar.gz');
  const archive = readFileSync(release);
  const statement = parseStatement(readFileSync(`${release}.sig`));
  const publicKey = releaseKeyOf(readFileSync(key, 'utf8'));
  if (!publicKey) throw new GatewayError('INVALID_INPUT', `${key} is not an Ed25519 public key`);
  if (!statement || !isSignedBy(statement, publicKey))
    return refuse(`is not signed with the key ${key}; name the release's public key with --key`);
  const { version, architecture, bytes, sha256 } = statement;
  if (version !== name.version || architecture !== name.architecture)
    refuse('has the signature of another release');
  const hash = createHash('sha256').update(archive).digest('hex');
  if (archive.length !== bytes || hash !== sha256) refuse('is incomplete or was changed after it was signed');
}

async function run(args: string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { key: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return USAGE.trimEnd();
  const [formPath, release, target, ...more] = positionals;
  if (!formPath || !release || !target || more.length > 0) throw new GatewayError('INVALID_INPUT', USAGE);
  const form = formOf(readFileSync(formPath, 'utf8'));
  const key = values.key ?? join(packageRoot(), 'systemd/release.pub');
  await checkRelease(release, key);
  // Imported after the checks, because the import takes longer than all of them.
  const { newSetupCode } = await import('../access/index.js');
  const setupCode = newSetupCode();
  writeKit(target, { form, release, key, setupCode });
  return `Copy the contents of ${target} to the boot partition of the card, and replace existing files.
About five minutes after the first start, open http://${form.host_name}.local:3000/setup
Setup code: ${setupCode}`;
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  const hint = textOf(hintOf(error));
  process.stderr.write(`${messageOf(error)}${hint === '' ? '' : `\n${hint}`}\n`);
  process.exitCode = 1;
}
