import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Aedes, type AuthenticateError } from 'aedes';
import mqemitter from 'mqemitter';
import { limitConnections } from '../../shared/connection-limit.js';
import { GatewayError, saidBy } from '../../shared/errors.js';
import type { BusSender, Log } from '../../shared/ports/ports.js';
import { brokerMessage } from '../mqtt/messages.js';
import { type Claim, ClientIds, PendingConnections } from './admission.js';
import { dialLocally } from './local.js';
import { RetainedBudget, unpooledCopy } from './retained.js';
import '../mqtt/packets.js';
import type { Dial } from '../mqtt/bus.js';

/** A larger packet ends the connection; the largest message on our topics is 8 kB. */
export const MAX_PACKET_BYTES = 256 * 1024;
/** Unsent bytes per client before it is dropped: more than a burst of a whole fleet. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const CLOSE_DEADLINE_MS = 1000;
/** In total: a fleet of 1,000 carts may share one address. */
const MAX_CONNECTIONS = 4096;
/** CONNACK codes of MQTT 3.1.1. */
const REFUSED = {
  id: { returnCode: 2, message: 'client id is in use by another client' },
  password: { returnCode: 4, message: 'username or password is incorrect' },
} as const;

interface BrokerClient {
  clientId: string;
  username: string;
  /** Remote address; empty once the socket is closed. */
  address: string;
}

export interface BrokerOptions {
  host: string;
  /** 0 = any free port. */
  port: number;
  log: Log;
  /** Limit of simultaneous unauthenticated connections. */
  maxPending?: number;
  /** True if the client may connect. Default: every client may. */
  authenticate?: (client: BrokerClient, password: string) => boolean | Promise<boolean>;
  /** True if the client may publish to the topic or subscribe to the filter. Default: every client may. */
  authorize?: (client: BrokerClient, action: 'publish' | 'subscribe', topic: string) => boolean;
  /** The client's right to its client id. Default: `guest`. */
  claim?: (client: BrokerClient) => Claim;
  /** Returns a payload that names its sender, to be published instead; undefined publishes the original. */
  sign?: (client: BrokerClient, topic: string, payload: string | Buffer) => Buffer | undefined;
  /** The API key behind a client; undefined if it needs none. */
  senderOf?: (client: BrokerClient) => BusSender | undefined;
}

export interface BrokerStats {
  /** Connections over the network. */
  clients: number;
  /** Messages published since the start, including those of this process. */
  published: number;
  /** Connections ended for a packet over 256 kB, or over 4 kB before authentication. */
  tooLarge: number;
}

/** The gateway's own MQTT 3.1.1 broker, listening. */
export interface EmbeddedBroker {
  readonly host: string;
  readonly port: number;
  /** Connects this process in memory, with all rights; its retained messages do not count against the budget. */
  readonly dial: Dial;
  stats(): BrokerStats;
  /** Ends every connection within 1 s. */
  close(): Promise<void>;
}

/** Starts the embedded broker. Rejects with `BROKER_PORT` if the address is in use or not permitted. */
export async function startBroker(options: BrokerOptions): Promise<EmbeddedBroker> {
  const { log } = options;
  const pending = new PendingConnections(options.maxPending);
  const ids = new ClientIds(options.claim ?? ((): Claim => 'guest'));
  const aedes = await createAedes(options, pending, ids);
  const sockets = new Set<Socket>();
  const stats = { published: 0, tooLarge: 0 };
  aedes.on('publish', ({ topic }) => {
    if (!topic.startsWith('$SYS/')) stats.published++;
  });
  // Without a listener, the error of one socket would end the process.
  for (const event of ['clientError', 'connectionError'] as const) {
    aedes.on(event, (client, error) =>
      log.debug('broker.client_failed', { client: client.id, reason: error.message }),
    );
  }
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
    const guard = pending.add(socket);
    aedes.handle(socket);
    // aedes reads with `read()`, which passes each chunk to `data` listeners before the parser sees it.
    socket.on('data', (chunk: Buffer) => {
      if (guard.allows(chunk)) return;
      stats.tooLarge++;
      log.warn('broker.packet_rejected', { from: socket.remoteAddress, limitBytes: guard.limitBytes });
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
  pending: PendingConnections,
  ids: ClientIds<BrokerClient>,
): Promise<Aedes> {
  const clients = new WeakMap<object, BrokerClient>();
  const anonymous = { clientId: '', username: '', address: '' };
  const identityOf = (client: object | null): BrokerClient => (client && clients.get(client)) ?? anonymous;
  const retained = new RetainedBudget();
  const aedes = await Aedes.createBroker({
    mq: promptEmitter(),
    connectTimeout: 10_000,
    // Disconnects a client that stops reading, before its queue fills the memory.
    drainTimeout: 10_000,
    preConnect(_client, packet, done) {
      // No persistent sessions: their queues would fill the memory, and a queued command would arrive too late.
      packet.clean = true;
      done(null, true);
    },
    authenticate(client, username = '', password, done) {
      const { remoteAddress: address = '' } = client.conn as Partial<Socket>;
      const identity = { clientId: client.id, username, address };
      clients.set(client, identity);
      void Promise.resolve(authenticate?.(identity, password?.toString('utf8') ?? '') ?? true)
        .catch(() => false)
        .then((allowed) => {
          if (!allowed) done(refusal('password'), false);
          else if (!ids.mayUse(identity)) done(refusal('id'), false);
          else {
            pending.admit(client.conn, MAX_PACKET_BYTES);
            done(null, true);
          }
        });
    },
    authorizePublish(client, packet, done) {
      const { topic, retain, payload } = packet;
      const identity = identityOf(client);
      const allowed = !topic.startsWith('$SYS/') && (authorize?.(identity, 'publish', topic) ?? true);
      if (!allowed) return done(new Error(`publishing to ${topic} is not allowed`));
      const signed = sign?.(identity, topic, payload);
      if (signed) packet.payload = signed;
      const fits = !retain || retained.accepts({ topic, payload: packet.payload }, identity.username);
      if (!fits) return done(new Error('retained messages exceed their limit'));
      // The payload is a slice of a read buffer of up to 64 KiB, which it would keep alive.
      if (retain) packet.payload = unpooledCopy(packet.payload);
      done(null);
    },
    authorizeSubscribe(client, subscription, done) {
      // An error would end the connection; null answers with return code 128 (MQTT 3.1.1, 3.9.3).
      const allowed = authorize?.(identityOf(client), 'subscribe', subscription.topic) ?? true;
      done(null, allowed ? subscription : null);
    },
    // Checked for every message: rights can be revoked while the client is connected.
    authorizeForward(client, packet) {
      const identity = identityOf(client);
      const { writableLength, destroyed } = client.conn;
      if (writableLength > MAX_UNSENT_BYTES && !destroyed) {
        log.warn('broker.slow_client_dropped', { ...identity, waitingBytes: writableLength });
        client.conn.destroy();
      }
      return !destroyed && (authorize?.(identity, 'subscribe', packet.topic) ?? true) ? packet : null;
    },
  });
  aedes.on('client', (client) => ids.hold(client, identityOf(client)));
  aedes.on('clientDisconnect', (client) => ids.release(client.id, client));
  return aedes;
}

/**
 * An emitter that does not wait for its listeners. By default mqemitter waits until all have taken a message, with at
 * most 100 in flight: one client that does not read would delay every E-stop until it is dropped.
 */
function promptEmitter(): mqemitter.MQEmitter {
  const emitter = mqemitter();
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (message, done = () => undefined) => {
    emit(message);
    // After the current chunk has been parsed.
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
    const reason =
      code === 'EADDRINUSE'
        ? brokerMessage('port-taken')
        : code === 'EACCES'
          ? brokerMessage('port-forbidden')
          : saidBy(cause);
    const hint = brokerMessage('port-hint');
    throw new GatewayError(
      'BROKER_PORT',
      brokerMessage('cannot-listen', { address: `${host}:${port}`, reason }),
      { cause, hint },
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
