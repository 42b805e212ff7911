import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Aedes } from 'aedes';
import { ipPrefixOf } from '../../shared/addresses.js';
import { systemClock } from '../../shared/clock.js';
import { type Connections, LISTEN_BACKLOG, processConnections } from '../../shared/connections.js';
import { errorText, GatewayError } from '../../shared/errors.js';
import { type InputScheduler, processInputs, type Source } from '../../shared/input-scheduler.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { brokerMessage } from '../mqtt/messages.js';
import { type Claim, ClientIds, PendingConnections } from './admission.js';
import { type BrokerClient, type ClientRules, createAedes } from './create-aedes.js';
import { dialLocally } from './in-process-client.js';
import { PacketGate } from './packet-gate.js';
import '../mqtt/packets.js';
import type { Dial } from '../mqtt/bus.js';

const CLOSE_DEADLINE_MS = 1000;
/** Interval between checks of incomplete packets' deadlines. */
const CHECK_MS = 1000;

export interface BrokerOptions extends ClientRules {
  host: string;
  port: number;
  log: Log;
  maxPending?: number;
  /** Default: this process's scheduler. */
  inputs?: InputScheduler;
  /** Default: all connections to this process's servers. */
  connections?: Connections;
  clock?: Clock;
}

export interface BrokerStats {
  clients: number;
  /** Messages published since startup, including those from this process. */
  published: number;
  /** Connections closed because a packet exceeded its limit: 9 kB, or 4 kB before authentication. */
  tooLarge: number;
  /** Connections closed because a packet did not arrive completely within 10 s. */
  incomplete: number;
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
  const { log, inputs = processInputs, connections = processConnections, clock = systemClock } = options;
  const pending = new PendingConnections(options.maxPending);
  const ids = new ClientIds(options.claim ?? ((): Claim => 'guest'));
  const gates = new Map<object, PacketGate>();
  const sources = new WeakMap<object, Source>();
  const sourceOf = (client: BrokerClient): Source => {
    return { rank: 'named', key: options.senderOf?.(client)?.id ?? ipPrefixOf(client.address) };
  };
  const aedes = await createAedes(options, ids, (connection, client) => {
    pending.admit(connection);
    gates.get(connection)?.authenticated();
    const source = sourceOf(client);
    sources.set(connection, source);
    connections.identify(connection, source.key);
  });
  const sockets = new Set<Socket>();
  const stats = { published: 0, tooLarge: 0, incomplete: 0 };
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
    socket.once('close', () => {
      sockets.delete(socket);
      gates.delete(socket);
    });
    socket.setNoDelay(true);
    pending.add(socket);
    const anonymous: Source = { rank: 'anonymous', key: ipPrefixOf(socket.remoteAddress ?? '') };
    const gate = new PacketGate(socket, {
      inputs,
      source: () => sources.get(socket) ?? anonymous,
      now: () => clock.now(),
      rejected(fault, limitBytes) {
        stats[fault === 'size' ? 'tooLarge' : 'incomplete'] += 1;
        log.warn('broker.packet_rejected', { from: socket.remoteAddress, fault, limitBytes });
        socket.destroy();
      },
    });
    gates.set(socket, gate);
    aedes.handle(socket);
  });
  const cancelCheck = clock.every(CHECK_MS, () => {
    for (const gate of gates.values()) gate.check();
  });
  connections.watch(server);
  const port = await listen(server, options).catch((thrown: unknown) => {
    cancelCheck();
    aedes.close();
    throw thrown;
  });
  return {
    host: options.host,
    port,
    dial: dialLocally(aedes, (id) => {
      const client = ids.holder(id);
      return client && { sender: options.senderOf?.(client), sourceKey: sourceOf(client).key };
    }),
    stats: () => ({ clients: aedes.connectedClients, ...stats }),
    close() {
      cancelCheck();
      return closeWithin(CLOSE_DEADLINE_MS, server, aedes, sockets);
    },
  };
}

async function listen(server: Server, { host, port }: BrokerOptions): Promise<number> {
  try {
    server.listen({ host, port, backlog: LISTEN_BACKLOG });
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
