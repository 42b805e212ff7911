import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Aedes, type AuthenticateError } from 'aedes';
import type { Log } from '../ports.js';
import { GatewayError, messageOf } from '../util/errors.js';
import { PacketSizeGuard } from './broker-guard.js';

/** Larger packets end the connection: the largest message of the tree has 8 kB. */
export const MAX_PACKET_BYTES = 256 * 1024;
const CLOSE_DEADLINE_MS = 1000;
/** CONNACK code of MQTT 3.1.1: bad user name or password. */
const BAD_PASSWORD = 4;

/** Who connects, as the broker sees it. */
export interface BrokerClient {
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
  /** Whether this client may connect; everybody may when left out. */
  authenticate?: (client: BrokerClient, password: string) => boolean | Promise<boolean>;
  /** Whether this client may publish to the topic or subscribe to the filter; everybody may when left out. */
  authorize?: (client: BrokerClient, action: 'publish' | 'subscribe', topic: string) => boolean;
}

export interface BrokerStats {
  clients: number;
  /** Messages that clients have published since the start. */
  published: number;
  /** Connections that were ended for a packet over 256 kB. */
  tooLarge: number;
}

/** The gateway's own MQTT 3.1.1 broker, listening. */
export interface EmbeddedBroker {
  readonly host: string;
  readonly port: number;
  stats(): BrokerStats;
  /** Ends every connection, within a second. */
  close(): Promise<void>;
}

/** Starts the embedded broker; rejects with `BROKER_PORT` when the address is taken or not allowed. */
export async function startBroker(options: BrokerOptions): Promise<EmbeddedBroker> {
  const { log } = options;
  const aedes = await createAedes(options);
  const sockets = new Set<Socket>();
  const stats = { published: 0, tooLarge: 0 };
  aedes.on('publish', (_packet, client) => {
    if (client) stats.published++;
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
    aedes.handle(socket);
    const guard = new PacketSizeGuard(MAX_PACKET_BYTES);
    // aedes pulls with `read()`, which shows every chunk to `data` listeners before the parser gets it.
    socket.on('data', (chunk: Buffer) => {
      if (guard.allows(chunk)) return;
      stats.tooLarge++;
      log.warn('broker.packet_too_large', { from: socket.remoteAddress, limitBytes: MAX_PACKET_BYTES });
      socket.destroy();
    });
  });
  const port = await listen(server, options).catch((thrown: unknown) => {
    aedes.close();
    throw thrown;
  });
  return {
    host: options.host,
    port,
    stats: () => ({ clients: aedes.connectedClients, ...stats }),
    close: () => closeWithin(CLOSE_DEADLINE_MS, server, aedes, sockets),
  };
}

function createAedes({ authenticate, authorize }: BrokerOptions): Promise<Aedes> {
  const clients = new WeakMap<object, BrokerClient>();
  const nobody = { clientId: '', username: '', address: '' };
  return Aedes.createBroker({
    connectTimeout: 10_000,
    // A client that does not read for this long is cut off, so that it does not fill the memory.
    drainTimeout: 10_000,
    authenticate(client, username = '', password, done) {
      const { remoteAddress: address = '' } = client.conn as Partial<Socket>;
      const who = { clientId: client.id, username, address };
      clients.set(client, who);
      void Promise.resolve(authenticate?.(who, password?.toString('utf8') ?? '') ?? true)
        .catch(() => false)
        .then((allowed) => (allowed ? done(null, true) : done(badPassword(), false)));
    },
    authorizePublish(client, { topic }, done) {
      const who = (client && clients.get(client)) ?? nobody;
      const allowed = !topic.startsWith('$SYS/') && (authorize?.(who, 'publish', topic) ?? true);
      done(allowed ? null : new Error(`publishing to ${topic} is not allowed`));
    },
    authorizeSubscribe(client, subscription, done) {
      const who = clients.get(client) ?? nobody;
      // No error, which would end the connection: a refused filter is answered with 128, as MQTT wants it.
      done(null, (authorize?.(who, 'subscribe', subscription.topic) ?? true) ? subscription : null);
    },
    // Asked again for every message: what a client may hear can end while it is connected.
    authorizeForward(client, packet) {
      const who = clients.get(client) ?? nobody;
      return (authorize?.(who, 'subscribe', packet.topic) ?? true) ? packet : null;
    },
  });
}

function badPassword(): AuthenticateError {
  return Object.assign(new Error('bad user name or password'), { returnCode: BAD_PASSWORD });
}

async function listen(server: Server, { host, port }: BrokerOptions): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    const why =
      code === 'EADDRINUSE'
        ? 'another program listens there already'
        : code === 'EACCES'
          ? 'this user may not listen on that port'
          : messageOf(cause);
    const hint = 'choose another port in the broker settings, or stop the other program';
    throw new GatewayError('BROKER_PORT', `the embedded broker cannot listen on ${host}:${port}: ${why}`, {
      cause,
      hint,
    });
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
