import {
  type LookupAddress,
  type LookupAllOptions,
  type LookupOptions,
  lookup as systemLookup,
} from 'node:dns';
import type { LookupFunction } from 'node:net';

type Found = Parameters<LookupFunction>[2];

/** Further callers of a lookup that does not end get `EAI_AGAIN`, so that they use no memory. */
const MAX_CALLERS = 16;

interface Waiting {
  name: string;
  options: LookupOptions;
  callers: Found[];
}

/**
 * Looks names up with getaddrinfo, which also finds `.local` names. libuv runs lookups on at most half of the threads
 * that file access and password hashing use, and a lookup holds its thread for up to a minute if the DNS server does
 * not respond. Callers with the same name therefore share one lookup, and at most `maxLookups` run at a time; the
 * others wait in the order of their first call. The unit file grants three threads for lookups.
 */
export class Lookups {
  readonly #maxLookups: number;
  readonly #system: typeof systemLookup;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Map<string, Waiting>();

  constructor(maxLookups: number, system: typeof systemLookup = systemLookup) {
    this.#maxLookups = maxLookups;
    this.#system = system;
  }

  /** A replacement for `dns.lookup`, for the option `lookup` of a connection. */
  readonly lookup: LookupFunction = (name, options, found) => {
    const { family = 0, hints = 0, all = false } = options;
    const key = `${name} ${family} ${hints} ${all}`;
    const known = this.#running.get(key) ?? this.#waiting.get(key);
    if (!known) {
      this.#waiting.set(key, { name, options, callers: [found] });
      this.#next();
    } else if (known.callers.length < MAX_CALLERS) known.callers.push(found);
    else queueMicrotask(() => found(failure('EAI_AGAIN', name), ''));
  };

  /** Returns the first address. Rejects with the system's error, or with `ETIMEDOUT`. */
  address(name: string, timeoutMs: number): Promise<string> {
    const options: LookupAllOptions = { all: true, order: 'ipv4first' };
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => reject(failure('ETIMEDOUT', name)), timeoutMs);
      this.lookup(name, options, (error, found) => {
        clearTimeout(timeout);
        const [first] = typeof found === 'string' ? [{ address: found }] : found;
        if (error || !first) reject(error ?? failure('EAI_AGAIN', name));
        else resolve(first.address);
      });
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (!first || this.#running.size >= this.#maxLookups) return;
    const [key, waiting] = first;
    this.#waiting.delete(key);
    this.#running.set(key, waiting);
    const { name, options, callers } = waiting;
    const ended = (
      error: NodeJS.ErrnoException | null,
      found: string | LookupAddress[],
      family?: number,
    ): void => {
      this.#running.delete(key);
      this.#next();
      for (const caller of callers) caller(error, found, family);
    };
    this.#system(name, options, ended);
  }
}

function failure(code: 'EAI_AGAIN' | 'ETIMEDOUT', name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`the lookup of ${name} has not ended`), { code });
}

/** One lookup at a time, so that hung lookups for alarms and payments leave threads for the broker's lookups. */
export const serviceLookups = new Lookups(1);

/** Two lookups at a time, so that a new broker need not wait for the lookup of the previous one. */
export const brokerLookups = new Lookups(2);
