import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { EventEmitter } from 'node:events';
import { networkInterfaces } from 'node:os';
import { ipPrefixOf } from '../shared/addresses.js';
import { systemClock } from '../shared/clock.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Announce, Announcement } from '../shared/ports/discovery.js';
import { TokenBucket } from '../shared/token-bucket.js';

/** `_http._tcp` is for service browsers; gateways discover each other by `_cartwright._tcp`. */
const TYPES = ['http', 'cartwright'];

/** Maximum size of a multicast DNS packet in bytes (RFC 6762, 17). */
const MAX_PACKET_BYTES = 9000;
/** Maximum number of questions in one packet; service browsers ask 1 to 30. */
const MAX_QUESTIONS = 64;
const HEADER_BYTES = 12;

export interface MdnsOptions {
  port?: number;
  interface?: string;
  bind?: string;
}

/** The records with which bonjour-service answers one question. */
interface Response {
  answers: object[];
  additionals?: object[];
}
type Respond = (response: Response | object[], done?: (error?: Error | null) => void) => void;

/** bonjour-service does not declare `server`. If `mdns` has no error listener, an error ends the process. */
interface BonjourInternals {
  server: { mdns: EventEmitter & { respond: Respond } };
}

/**
 * Decides which packets are parsed: queries of at most 9 kB and 64 questions, within the rate limits. A 64 kB packet
 * with 10,900 questions kept the parser and the responder busy for seconds, and the cart stopped.
 */
export class MdnsAdmission {
  readonly #byAddress: TokenBucket;
  /** Limits all addresses together, because the source address of a UDP packet can be forged. */
  readonly #total: TokenBucket;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#byAddress = new TokenBucket({ burst: 20, refillMs: 100, clock, maxKeys: 1000 });
    this.#total = new TokenBucket({ burst: 50, refillMs: 20, clock });
  }

  /**
   * Removes everything but the questions from an admitted packet, because the parser reads all sections, but only
   * the questions are used.
   */
  admits(packet: Buffer, address: string): boolean {
    if (packet.length < HEADER_BYTES || packet.length > MAX_PACKET_BYTES) return false;
    const isResponse = (packet.readUInt8(2) & 0x80) !== 0;
    const questions = packet.readUInt16BE(4);
    if (isResponse || questions === 0 || questions > MAX_QUESTIONS) return false;
    const isInTime = this.#byAddress.take(ipPrefixOf(address)) === 0 && this.#total.take('') === 0;
    if (isInTime) packet.fill(0, 6, HEADER_BYTES);
    return isInTime;
  }
}

/** Creates a socket that emits only admitted packets. */
function admittingSocket(): Socket {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  const admission = new MdnsAdmission();
  const emit: (event: string | symbol, ...args: unknown[]) => boolean = socket.emit.bind(socket);
  socket.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    const [packet, from] = args;
    const isRejected =
      event === 'message' &&
      Buffer.isBuffer(packet) &&
      !admission.admits(packet, (from as RemoteInfo).address);
    return !isRejected && emit(event, ...args);
  };
  return socket;
}

/** Announces services by mDNS (RFC 6762, 6763) on all current networks. Rejects if an announcement fails. */
export function mdnsAnnouncer(options: MdnsOptions = {}): Announce {
  return async (announcement) => {
    const networks = options.interface === undefined ? ownNetworks() : [options];
    if (networks.length === 0) throw new Error('no network interface has an IPv4 address');
    const results = await Promise.allSettled(
      networks.map((network) => announce(announcement, { ...options, ...network })),
    );
    const close = async (): Promise<void> => {
      await Promise.all(results.map((result) => result.status === 'fulfilled' && result.value.close()));
    };
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return { close };
    await close();
    throw failed.reason;
  };
}

/**
 * Returns one set of socket options per network, because a single socket would use only one network, and a socket that
 * is bound to an address receives no multicast packets.
 */
function ownNetworks(): MdnsOptions[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => {
    const own = addresses?.find(({ family, internal }) => family === 'IPv4' && !internal);
    return own ? [{ interface: own.address, bind: '0.0.0.0' }] : [];
  });
}

async function announce({ name, host, port, txt }: Announcement, options: MdnsOptions): ReturnType<Announce> {
  const { default: Bonjour } = await import('bonjour-service');
  const withSocket: MdnsOptions & { socket: Socket } = { ...options, socket: admittingSocket() };
  const bonjour = new Bonjour(withSocket, () => undefined);
  const { mdns } = (bonjour as unknown as BonjourInternals).server;
  answerOnce(mdns);
  try {
    await new Promise((resolve, reject) => {
      mdns.on('error', reject);
      mdns.once('ready', resolve);
    });
  } catch (error) {
    bonjour.destroy();
    throw error;
  }
  // Probing is off, because names are unique and the package would print conflicts into the log on standard output.
  for (const type of TYPES) bonjour.publish({ name, host, port, txt, type, probe: false });
  return {
    async close() {
      await new Promise<void>((resolve) => bonjour.unpublishAll(() => resolve()));
      await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
    },
  };
}

/**
 * Merges the answers to a packet's questions, because bonjour-service sends a separate packet for each
 * question.
 */
function answerOnce(mdns: BonjourInternals['server']['mdns']): void {
  const respond = mdns.respond;
  let collected: Required<Response>[] | undefined;
  mdns.respond = (response, done) => {
    if (!collected || Array.isArray(response)) return respond(response, done);
    collected.push({ additionals: [], ...response });
  };
  mdns.prependListener('query', () => {
    collected = [];
  });
  mdns.on('query', () => {
    const answers = new Set(collected?.flatMap((response) => response.answers));
    const additionals = new Set(collected?.flatMap((response) => response.additionals));
    collected = undefined;
    for (const answer of answers) additionals.delete(answer);
    if (answers.size > 0) respond({ answers: [...answers], additionals: [...additionals] });
  });
}
