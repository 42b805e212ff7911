import type { Socket } from 'node:net';
import { Aedes, type AuthenticateError } from 'aedes';
import mqemitter from 'mqemitter';
import type { Log } from '../../shared/ports/log.js';
import type { BusSender } from '../../shared/ports/mqtt.js';
import type { Claim, ClientIds } from './admission.js';
import { RetainedBudget, unpooledCopy } from './retained.js';

/** Maximum number of unreleased QoS 2 messages from one client, which aedes keeps in memory. */
const MAX_INBOUND_QOS_2 = 8;
/** A client with more unsent bytes than this is disconnected. The largest burst of a fleet is smaller. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const REFUSED = {
  id: { returnCode: 2, message: 'client ID is in use by another client' },
  password: { returnCode: 4, message: 'username or password is incorrect' },
} as const;

export interface BrokerClient {
  clientId: string;
  username: string;
  /** Remote address; empty after the socket has closed. */
  address: string;
}

export interface ClientRules {
  /** If omitted, every client can connect. */
  authenticate?: (client: BrokerClient, password: string) => boolean | Promise<boolean>;
  /** Returns true if the client can use the topic or filter. If omitted, every client can use all topics. */
  authorize?: (client: BrokerClient, action: 'publish' | 'subscribe', topic: string) => boolean;
  /** Default: `guest`. */
  claim?: (client: BrokerClient) => Claim;
  /** Returns a payload that names the sender; if it returns undefined, the original payload is published. */
  sign?: (client: BrokerClient, topic: string, payload: string | Buffer) => Buffer | undefined;
  /** Undefined if the client needs no API key. */
  senderOf?: (client: BrokerClient) => BusSender | undefined;
}

export async function createAedes(
  { authenticate, authorize, sign, log }: ClientRules & { log: Log },
  ids: ClientIds<BrokerClient>,
  /** Called when a client has been authenticated. */
  admitted: (connection: Socket, client: BrokerClient) => void,
): Promise<Aedes> {
  const clients = new WeakMap<object, BrokerClient>();
  const anonymous = { clientId: '', username: '', address: '' };
  const identityOf = (client: object | null): BrokerClient => (client && clients.get(client)) ?? anonymous;
  const retained = new RetainedBudget();
  const aedes = await Aedes.createBroker({
    mq: promptEmitter(),
    connectTimeout: 10_000,
    // Disconnects a client that has stopped reading, before its queue exhausts the memory.
    drainTimeout: 10_000,
    maxInflightInbound: MAX_INBOUND_QOS_2,
    preConnect(_client, packet, done) {
      // Disables persistent sessions: their queues would exhaust the memory and deliver commands late.
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
            admitted(client.conn as Socket, identity);
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
      if (!fits) return done(new Error('the message exceeds the limit for retained messages'));
      // The payload is copied: as a view, it would keep a read buffer of up to 64 KiB in memory.
      if (retain) packet.payload = unpooledCopy(packet.payload);
      done(null);
    },
    authorizeSubscribe(client, subscription, done) {
      // null rejects the subscription with code 128 (MQTT 3.1.1, 3.9.3); an error closes the connection.
      const allowed = authorize?.(identityOf(client), 'subscribe', subscription.topic) ?? true;
      done(null, allowed ? subscription : null);
    },
    // Checked for every message, because rights can be revoked while a client is connected.
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

/** Does not wait for listeners, because mqemitter waits when 100 messages are in flight, which would delay a stop. */
function promptEmitter(): mqemitter.MQEmitter {
  const emitter = mqemitter();
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (message, done = () => undefined) => {
    emit(message);
    queueMicrotask(done);
  };
  return emitter;
}

function refusal(reason: keyof typeof REFUSED): AuthenticateError {
  const { message, returnCode } = REFUSED[reason];
  return Object.assign(new Error(message), { returnCode });
}
