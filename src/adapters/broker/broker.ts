import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Aedes } from 'aedes';
import { limitConnections } from '../../shared/connection-limit.js';
import { errorText, GatewayError } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import { brokerMessage } from '../mqtt/messages.js';
import { type Claim, ClientIds, PendingConnections } from './admission.js';
import { type ClientRules, createAedes } from './create-aedes.js';
import { dialLocally } from './local.js';
import '../mqtt/packets.js';
import type { Dial } from '../mqtt/bus.js';

const CLOSE_DEADLINE_MS = 1000;
/** The limit applies to all addresses together, because a fleet of 1,000 carts can share one address. */
const MAX_CONNECTIONS = 4096;

export interface BrokerOptions extends ClientRules {
  host: string;
  port: number;
  log: Log;
  maxPending?: number;
}

export interface BrokerStats {
  clients: number;
  /** Messages published since startup, including those from this process. */
  published: number;
  /** Connections closed because a packet exceeded 256 kB, or 4 kB before authentication. */
  tooLarge: number;
}

export interface EmbeddedBroker {
  readonly host: string;
  readonly port: number;
  /** Connects this process to the broker, with full access and without the limits for retained messages. */
  readonly dial: Dial;
  stats(): BrokerStats;
  /** Ends every connection within 1 s. */
  close(): Promise<void>;
}

/** Rejects with `BROKER_PORT` if the address is in use or the process is not permitted to listen on it. */
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
  // If these events had no listener, an error on one socket would end the process.
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
    // aedes calls `read()`, which passes each chunk to the `data` listeners before it is parsed.
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
          : errorText(cause);
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
