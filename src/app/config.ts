import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { FromSchema } from 'json-schema-to-ts';
import { addressList } from '../shared/addresses.js';
import { type Fault, GatewayError, messageOf } from '../shared/errors.js';
import { fileErrorCode, fileErrorReason } from '../shared/files.js';
import { packageRoot } from '../shared/package-root.js';
import { isHost, isHttpUrl } from '../shared/validation/hosts.js';
import { isJsonObject, parseJson, utf8Text } from '../shared/validation/json.js';
import { checkerFor } from '../shared/validation/validate.js';
import { paymentsConfigSchema } from '../shop/index.js';

/** Schema of the static configuration, which is needed before variables.json is loaded. */
const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'host',
    'port',
    'httpsPort',
    'dataDir',
    'auth',
    'logLevel',
    'hostnames',
    'trustedProxies',
    'confirmSeconds',
    'settings',
  ],
  properties: {
    host: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,253}$' },
    port: { type: 'integer', minimum: 0, maximum: 65_535 },
    /** Port for HTTPS with the certificate from the gateway's own CA; `port` remains the HTTP port. */
    httpsPort: { type: 'integer', minimum: 0, maximum: 65_535 },
    dataDir: { type: 'string', minLength: 1, maxLength: 1024 },
    auth: { type: 'string', enum: ['required', 'trusted-lan'] },
    logLevel: { type: 'string', enum: ['debug', 'info', 'warn', 'error'] },
    hostnames: { type: 'array', maxItems: 100, items: { type: 'string', pattern: '^[a-z0-9.-]{1,253}$' } },
    /** Addresses and networks whose `X-Forwarded-For` header is accepted. */
    trustedProxies: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 64 } },
    tls: {
      type: 'object',
      additionalProperties: false,
      required: ['certFile', 'keyFile'],
      properties: {
        certFile: { type: 'string', minLength: 1, maxLength: 1024 },
        keyFile: { type: 'string', minLength: 1, maxLength: 1024 },
      },
    },
    confirmSeconds: { type: 'integer', minimum: 1, maximum: 600 },
    payments: paymentsConfigSchema,
    settings: { type: 'object' },
  },
} as const;

const check = checkerFor<FromSchema<typeof configSchema>>(configSchema);

export type Config = FromSchema<typeof configSchema> & {
  file: string;
  /** Members that have no effect because of their value, such as a URL with port 99999. */
  notices?: Fault[];
};

const DEFAULTS = {
  host: '0.0.0.0',
  port: 3000,
  httpsPort: 3443,
  dataDir: './data',
  auth: 'required',
  logLevel: 'info',
  hostnames: [],
  trustedProxies: [],
  confirmSeconds: 60,
  settings: {},
};

const INVALID_HOST = 'is not a valid host name or address';
const INVALID_URL = 'must have a valid host and a port from 1 to 65535';

const VARIABLES: Readonly<Record<string, string>> = {
  HOST: 'host',
  PORT: 'port',
  HTTPS_PORT: 'httpsPort',
  CARTWRIGHT_DATA_DIR: 'dataDir',
  CARTWRIGHT_AUTH: 'auth',
  CARTWRIGHT_LOG_LEVEL: 'logLevel',
};

/**
 * Reads the configuration file and the environment, which takes precedence. The file's path is
 * `CARTWRIGHT_CONFIG`, relative to `cwd`; the default is the package's config/default.json. Empty environment
 * variables are ignored. Throws `CONFIG_INVALID` with all errors, each with its field and its source.
 * @param settingsFaults checks the initial settings; optional for programs that do not use them.
 */
export function loadConfig(
  env: NodeJS.ProcessEnv,
  cwd: string,
  settingsFaults: (settings: unknown) => Fault[] = () => [],
): Config {
  const file = env.CARTWRIGHT_CONFIG
    ? resolve(cwd, env.CARTWRIGHT_CONFIG)
    : join(packageRoot(), 'config', 'default.json');
  const shown = relative(cwd, file).startsWith('..') ? file : relative(cwd, file);
  const misnamed = pathFaults('environment:CARTWRIGHT_CONFIG', env.CARTWRIGHT_CONFIG);
  if (misnamed.length > 0) throw invalid(misnamed);
  const fromFile = readFile(file, shown);
  const fromEnv = readEnv(env);
  const { faults } = fromFile;
  faults.push(...pathFaults('environment:CARTWRIGHT_DATA_DIR', env.CARTWRIGHT_DATA_DIR));

  const written = check({ ...DEFAULTS, ...fromFile.members });
  if ('faults' in written) faults.push(...written.faults.map((fault) => named(`${shown}:`, fault)));
  else {
    const { dataDir, tls } = written.value;
    faults.push(
      ...proxyFaults(written.value, shown),
      ...stripeFaults(written.value, shown),
      ...pathFaults(`${shown}:/dataDir`, dataDir),
      ...pathFaults(`${shown}:/tls/certFile`, tls?.certFile),
      ...pathFaults(`${shown}:/tls/keyFile`, tls?.keyFile),
    );
  }
  const { settings = {} } = fromFile.members;
  if (isJsonObject(settings))
    faults.push(...settingsFaults(settings).map((fault) => named(`${shown}:/settings`, fault)));
  const set = check({ ...DEFAULTS, ...fromEnv });
  if ('faults' in set) faults.push(...set.faults.map(asVariable));
  const both = check({ ...DEFAULTS, ...fromFile.members, ...fromEnv });
  if (faults.length > 0 || 'faults' in both) throw invalid(faults);
  return { ...withoutInvalidHosts(both.value, shown), dataDir: resolve(cwd, both.value.dataDir), file };
}

/**
 * Earlier versions accepted host names that are invalid in a URL. Settings with such a host never worked, so they are
 * omitted and reported, and do not prevent the gateway from starting.
 */
function withoutInvalidHosts(
  config: FromSchema<typeof configSchema>,
  shown: string,
): FromSchema<typeof configSchema> & Pick<Config, 'notices'> {
  const notices: Fault[] = config.hostnames.flatMap((name, at) =>
    isHost(name) ? [] : [{ path: `${shown}:/hostnames/${at}`, message: INVALID_HOST }],
  );
  const hostnames = config.hostnames.filter(isHost);
  const { publicUrl, ...payments } = config.payments ?? {};
  const isUnusable = publicUrl !== undefined && !isHttpUrl(publicUrl);
  if (isUnusable) notices.push({ path: `${shown}:/payments/publicUrl`, message: INVALID_URL });
  if (notices.length === 0) return config;
  return { ...config, hostnames, notices, ...(isUnusable ? { payments } : {}) };
}

function readFile(file: string, shown: string): { members: Record<string, unknown>; faults: Fault[] } {
  try {
    const members = parseJson(utf8Text(readFileSync(file)));
    if (!isJsonObject(members)) throw new Error('the document is not a JSON object');
    return { members, faults: [] };
  } catch (error) {
    const reason = fileErrorCode(error) ? `cannot be read: ${fileErrorReason(error)}` : messageOf(error);
    return { members: {}, faults: [{ path: shown, message: reason }] };
  }
}

function readEnv(env: NodeJS.ProcessEnv): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [variable, member] of Object.entries(VARIABLES)) {
    const text = env[variable];
    if (text) members[member] = isPort(member) && /^\d{1,5}$/.test(text) ? Number(text) : text;
  }
  return members;
}

/** A port that is not a number is not converted, so that validation reports the original value. */
function isPort(member: string): boolean {
  return member === 'port' || member === 'httpsPort';
}

/**
 * An environment file for Docker keeps the quotes around a value, so the path would name a different
 * directory.
 */
function pathFaults(path: string, text = ''): Fault[] {
  if (!/^["'\s]|["'\s]$/.test(text)) return [];
  return [{ path, message: `must be a path without surrounding quotes or spaces, but is ${text}` }];
}

function proxyFaults({ trustedProxies }: FromSchema<typeof configSchema>, shown: string): Fault[] {
  try {
    addressList(trustedProxies);
    return [];
  } catch (error) {
    return [{ path: `${shown}:/trustedProxies`, message: messageOf(error) }];
  }
}

/** An invalid Stripe URL is never omitted, because payments would then go to Stripe itself. */
function stripeFaults({ payments }: FromSchema<typeof configSchema>, shown: string): Fault[] {
  const { stripeUrl } = payments ?? {};
  if (stripeUrl === undefined || isHttpUrl(stripeUrl)) return [];
  return [{ path: `${shown}:/payments/stripeUrl`, message: INVALID_URL }];
}

function named(source: string, { path, message }: Fault): Fault {
  return { path: `${source}${path}`, message };
}

/** Replaces the field in the path with the environment variable that set the field. */
function asVariable({ path, message }: Fault): Fault {
  const [variable] = Object.entries(VARIABLES).find(([, member]) => path === `/${member}`) ?? [path];
  return { path: `environment:${variable}`, message };
}

function invalid(found: Fault[]): GatewayError {
  const faults = found.filter(({ path }, at) => found.findIndex((fault) => fault.path === path) === at);
  const lines = faults.map(({ path, message }) => `\n  ${path} ${message}`);
  return new GatewayError('CONFIG_INVALID', `the configuration is invalid:${lines.join('')}`, { faults });
}
