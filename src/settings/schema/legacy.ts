import type { Fault } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';

type JsonObject = Record<string, unknown>;

/** Top-level aliases of the `mqtt` settings with the same names. */
const FLAT = ['host', 'port', 'protocol', 'username', 'password'];
const WHOLE = ['broker', 'url'];

const PROTOCOLS: Readonly<Record<string, 'mqtt' | 'mqtts'>> = {
  'mqtt:': 'mqtt',
  'tcp:': 'mqtt',
  'mqtts:': 'mqtts',
  'ssl:': 'mqtts',
  'tls:': 'mqtts',
};

/**
 * Converts short forms of a broker address to an `mqtt` section: top-level `host`, `port`, `protocol`,
 * `username` and `password`; `broker: {…}`; `broker` or `url` in the form `mqtt://user:password@host:port`.
 * Values in `mqtt` take precedence. Errors never quote an address, because it may contain a password.
 */
export function normaliseLegacy(document: JsonObject): { document: JsonObject; faults: Fault[] } {
  const found = [...FLAT, ...WHOLE].filter((name) => Object.hasOwn(document, name));
  if (found.length === 0) return { document, faults: [] };

  const faults: Fault[] = [];
  const short: JsonObject = {};
  for (const name of WHOLE) {
    if (found.includes(name)) Object.assign(short, readBroker(document[name], `/${name}`, faults));
  }
  for (const name of FLAT) if (found.includes(name)) short[name] = document[name];
  if (typeof short.port === 'string' && /^\d{1,5}$/.test(short.port)) short.port = Number(short.port);

  const rest = Object.fromEntries(Object.entries(document).filter(([name]) => !found.includes(name)));
  const { mqtt } = document;
  if (mqtt !== undefined && !isJsonObject(mqtt)) return { document: rest, faults };
  return { document: { ...rest, mqtt: { broker: 'external', ...short, ...mqtt } }, faults };
}

function readBroker(value: unknown, pointer: string, faults: Fault[]): JsonObject {
  if (typeof value === 'string') {
    const parts = readUrl(value);
    if (!parts) faults.push({ path: pointer, message: 'must be a URL such as mqtt://host:1883' });
    return parts ?? {};
  }
  if (!isJsonObject(value)) {
    faults.push({ path: pointer, message: 'must be an object or a URL such as mqtt://host:1883' });
    return {};
  }
  const { url, ...members } = value;
  return url === undefined ? members : { ...readBroker(url, `${pointer}/url`, faults), ...members };
}

function readUrl(text: string): JsonObject | undefined {
  try {
    const url = new URL(text);
    const protocol = PROTOCOLS[url.protocol];
    if (!protocol || !url.hostname) return undefined;
    const usual = protocol === 'mqtts' ? 8883 : 1883;
    return {
      protocol,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port ? Number(url.port) : usual,
      ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
      ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
    };
  } catch {
    return undefined; // The URL or its percent-encoding is invalid.
  }
}
