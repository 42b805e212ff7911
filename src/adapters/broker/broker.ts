import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Aedes, type AuthenticateError } from 'aedes';
import mqemitter from 'mqemitter';
import { limitConnections } from '../../shared/connection-limit.js';
import { GatewayError, saidBy } from '../../shared/errors.js';
import type { BusSender, Log } from '../../shared/ports/ports.js';
import { brokerMessage } from '../mqtt/messages.js';
import { dialLocally } from './local.js';
import { type Claim, ClientIds, Newcomers } from './newcomers.js';
import { aloneInMemory, RetainedBudget } from './retained.js';
import '../mqtt/packets.js';
import type { Dial } from '../mqtt/bus.js';

/** Larger packets end the connection: the largest message of the tree has 8 kB. */
export const MAX_PACKET_BYTES = 256 * 1024;
/** What may wait in memory for one client: more than a whole fleet says at once. */
const MAX_WAITING_BYTES = 1024 * 1024;
const CLOSE_DEADLINE_MS = 1000;
/** A fleet of 1,000 carts may be behind one address. */
const MAX_CONNECTIONS = 4096;
/** CONNACK codes of MQTT 3.1.1. */
const REFUSED = {
  id: { returnCode: 2, message: 'another client is connected by that id' },
  password: { returnCode: 4, message: 'bad user name or password' },
} as const;

/** Who connects, as the broker sees it. */
interface BrokerClient {
  clientId: string;
  username: string;
  /** The address of the other end; empty when it is gone. */
  address: string;
}

export interface BrokerOptions {
  host: string;
  /** 0 = any free port. */
  port: number;
  log: Log;
  /** Connections that may wait to be authenticated at once. */
  newcomersMost?: number;
  /** Whether this client may connect; everybody may when left out. */
  authenticate?: (client: BrokerClient, password: string) => boolean | Promise<boolean>;
  /** Whether this client may publish to the topic or subscribe to the filter; everybody may when left out. */
  authorize?: (client: BrokerClient, action: 'publish' | 'subscribe', topic: string) => boolean;
  /** How this client stands to its client id; a guest when left out. */
  claim?: (client: BrokerClient) => Claim;
  /** The payload that is published instead of this one, which names its sender; undefined leaves it. */
  sign?: (client: BrokerClient, topic: string, payload: string | Buffer) => Buffer | undefined;
  /** The key of this client, for those who rely on it; undefined when it needs none. */
  senderOf?: (client: BrokerClient) => BusSender | undefined;
}

export interface BrokerStats {
  /** Connections over the network. */
  clients: number;
  /** Messages that were published since the start, by this process as well. */
  published: number;
  /** Connections that were ended for a packet over 256 kB, or over 4 kB before they had authenticated. */
  tooLarge: number;
}

/** The gateway's own MQTT 3.1.1 broker, listening. */
export interface EmbeddedBroker {
  readonly host: string;
  readonly port: number;
  /** Connects this process: without a network, with all rights, and what it retains is not counted. */
  readonly dial: Dial;
  stats(): BrokerStats;
  /** Ends every connection, within a second. */
  close(): Promise<void>;
}

/** Starts the embedded broker; rejects with `BROKER_PORT` when the address is taken or not allowed. */
export async function startBroker(options: BrokerOptions): Promise<EmbeddedBroker> {
  const { log } = options;
  const newcomers = new Newcomers(options.newcomersMost);
  const ids = new ClientIds(options.claim ?? ((): Claim => 'guest'));
  const aedes = await createAedes(options, newcomers, ids);
  const sockets = new Set<Socket>();
  const stats = { published: 0, tooLarge: 0 };
  aedes.on('publish', ({ topic }) => {
    if (!topic.startsWith('$SYS/')) stats.published++;
  });
  // A socket error is the end of one client; a listener keeps it from being the end of the process.
  for (const event of ['clientError', 'connectionError'] as const) {
    aedes.on(event, (client, error) =>
      log.debug('broker.client_failed', { client: client.id, reason: error.message }),
    );
  }
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
    const guard = newcomers.take(socket);
    aedes.handle(socket);
    // aedes pulls with `read()`, which shows every chunk to `data` listeners before the parser gets it.
    socket.on('data', (chunk: Buffer) => {
      if (guard.allows(chunk)) return;
      stats.tooLarge++;
      log.warn('broker.packet_too_large', { from: socket.remoteAddress, limitBytes: guard.limitBytes });
      socket.destroy();
    });
  });
  limitConnections(server, MAX_CONNECTIONS);
  const port = await listen(server, options).catch((thrown: unknown) => {
    aedes.close();
    throw thrown;
  });
  return {
    host: options.host,
    port,
    dial: dialLocally(aedes, (id) => {
      const client = ids.holder(id);
      return client && options.senderOf?.(client);
    }),
    stats: () => ({ clients: aedes.connectedClients, ...stats }),
    close: () => closeWithin(CLOSE_DEADLINE_MS, server, aedes, sockets),
  };
}

async function createAedes(
  { authenticate, authorize, sign, log }: BrokerOptions,
  newcomers: Newcomers,
  ids: ClientIds<BrokerClient>,
): Promise<Aedes> {
  const clients = new WeakMap<object, BrokerClient>();
  const nobody = { clientId: '', username: '', address: '' };
  const whoIs = (client: object | null): BrokerClient => (client && clients.get(client)) ?? nobody;
  const retained = new RetainedBudget();
  const aedes = await Aedes.createBroker({
    mq: promptEmitter(),
    connectTimeout: 10_000,
    // A client that does not read for this long is cut off, so that it does not fill the memory.
    drainTimeout: 10_000,
    preConnect(_client, packet, done) {
      // Nothing is kept for who is not there: it would fill the memory, and a command from before is one too late.
      packet.clean = true;
      done(null, true);
    },
    authenticate(client, username = '', password, done) {
      const { remoteAddress: address = '' } = client.conn as Partial<Socket>;
      const who = { clientId: client.id, username, address };
      clients.set(client, who);
      void Promise.resolve(authenticate?.(who, password?.toString('utf8') ?? '') ?? true)
        .catch(() => false)
        .then((allowed) => {
          if (!allowed) done(refusal('password'), false);
          else if (!ids.mayUse(who)) done(refusal('id'), false);
          else {
            newcomers.admit(client.conn, MAX_PACKET_BYTES);
            done(null, true);
          }
        });
    },
    authorizePublish(client, packet, done) {
      const { topic, retain, payload } = packet;
      const who = whoIs(client);
      const allowed = !topic.startsWith('$SYS/') && (authorize?.(who, 'publish', topic) ?? true);
      if (!allowed) return done(new Error(`publishing to ${topic} is not allowed`));
      const signed = sign?.(who, topic, payload);
      if (signed) packet.payload = signed;
      const fits = !retain || retained.takes({ topic, payload: packet.payload }, who.username);
      if (!fits) return done(new Error('there is no room for more retained messages'));
      // As it came it is a part of up to 64 KiB that were read at once, and would keep all of them.
      if (retain) packet.payload = aloneInMemory(packet.payload);
      done(null);
    },
    authorizeSubscribe(client, subscription, done) {
      // No error, which would end the connection: a refused filter is answered with 128, as MQTT wants it.
      const allowed = authorize?.(whoIs(client), 'subscribe', subscription.topic) ?? true;
      done(null, allowed ? subscription : null);
    },
    // Asked again for every message: what a client may hear can end while it is connected.
    authorizeForward(client, packet) {
      const who = whoIs(client);
      const { writableLength, destroyed } = client.conn;
      if (writableLength > MAX_WAITING_BYTES && !destroyed) {
        log.warn('broker.client_too_slow', { ...who, waitingBytes: writableLength });
        client.conn.destroy();
      }
      return !destroyed && (authorize?.(who, 'subscribe', packet.topic) ?? true) ? packet : null;
    },
  });
  aedes.on('client', (client) => ids.hold(client, whoIs(client)));
  aedes.on('clientDisconnect', (client) => ids.release(client.id, client));
  return aedes;
}

/**
 * Hands every message on at once. As it comes, the emitter waits until all who listen have their copy, with a hundred
 * messages at most: one client that reads nothing would hold up everybody's emergency stop until it is cut off.
 */
function promptEmitter(): mqemitter.MQEmitter {
  const emitter = mqemitter();
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (message, done = () => undefined) => {
    emit(message);
    // Not in the midst of the chunk that it was parsed from.
    queueMicrotask(done);
  };
  return emitter;
}

function refusal(reason: keyof typeof REFUSED): AuthenticateError {
  const { message, returnCode } = REFUSED[reason];
  return Object.assign(new Error(message), { returnCode });
}

async function listen(server: Server, { host, port }: BrokerOptions): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    const why =
      code === 'EADDRINUSE'
        ? brokerMessage('port-taken')
        : code === 'EACCES'
          ? brokerMessage('port-forbidden')
          : saidBy(cause);
    const hint = brokerMessage('port-hint');
    throw new GatewayError(
      'BROKER_PORT',
      brokerMessage('cannot-listen', { address: `${host}:${port}`, reason: why }),
      {
        cause,
        hint,
      },
    );
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

async function closeWithin(
  deadlineMs: number,
  server: Server,
  aedes: Aedes,
  sockets: Set<Socket>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  const closed = new Promise<void>((resolve) => server.close(() => aedes.close(() => resolve())));
  for (const socket of sockets) socket.destroy();
  await Promise.race([closed, deadline]);
  clearTimeout(timer);
}
