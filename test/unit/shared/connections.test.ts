import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Server, Socket } from 'node:net';
import { suite } from 'uvu';
import { type Budget, budgetOf, Connections, grantOf } from '../../../src/shared/connections.js';
import { InputScheduler } from '../../../src/shared/input-scheduler.js';
import { FakeClock } from '../../helpers/fake-clock.js';

const test = suite('connections');

const BUDGET: Budget = { connections: 100, connectionsPerHolder: 100, bytes: 1000, bytesPerHolder: 50 };
let ports = 0;

class FakeSocket extends EventEmitter {
  readonly remotePort = ++ports;
  readonly localPort = 3000;
  readableLength = 0;
  bytesRead = 0;
  isOpen = true;

  get destroyed(): boolean {
    return !this.isOpen;
  }

  readonly remoteAddress: string;
  writableLength: number;

  constructor(remoteAddress: string, writableLength = 0) {
    super();
    this.remoteAddress = remoteAddress;
    this.writableLength = writableLength;
  }

  destroy(): void {
    this.isOpen = false;
    this.emit('close');
  }
}

function open(budget: Partial<Budget> = {}) {
  const server = new EventEmitter();
  const clock = new FakeClock();
  const inputs = new InputScheduler();
  const connections = new Connections({ ...BUDGET, ...budget }, clock, inputs);
  connections.watch(server as Server);
  return {
    connections,
    clock,
    server,
    async setUp(): Promise<void> {
      while (inputs.accepted > 0) await new Promise((resolve) => setImmediate(resolve));
    },
    connect(address: string, unread = 0): FakeSocket & Socket {
      const socket = new FakeSocket(address, unread);
      server.emit('connection', socket);
      return socket as FakeSocket & Socket;
    },
    secure(socket: FakeSocket): FakeSocket & Socket {
      const secured = Object.assign(new FakeSocket(socket.remoteAddress), { remotePort: socket.remotePort });
      server.emit('secureConnection', secured);
      return secured as FakeSocket & Socket;
    },
  };
}

const countOpen = (sockets: readonly FakeSocket[]): number => sockets.filter(({ isOpen }) => isOpen).length;

test('closes only connections from addresses with too many unread bytes', () => {
  const { connections, connect } = open();
  const flood = Array.from({ length: 20 }, () => connect('10.0.0.1', 10));
  const honest = [connect('10.0.0.2', 10), connect('10.0.0.2')];
  connections.check();
  assert.deepEqual([countOpen(flood), countOpen(honest)], [6, 2]);
});

test("keeps a slow client's connection open despite a single large response", () => {
  const { connections, connect } = open();
  const slow = [connect('10.0.0.1', 500), connect('10.0.0.1')];
  connections.check();
  assert.equal(countOpen(slow), 2);
});

test('closes the connections with the most unread bytes when the total exceeds the limit', () => {
  const { connections, connect } = open({ bytes: 500, bytesPerHolder: 1000 });
  const many = Array.from({ length: 10 }, (_, nth) => connect(`10.0.0.${nth}`, 100 + nth));
  connections.check();
  assert.equal(countOpen(many), 4);
  assert.ok(many[0]?.isOpen);
});

test('counts input bytes that have not been processed', () => {
  const { connections, connect } = open();
  const flood = Array.from({ length: 5 }, () => connect('10.0.0.1'));
  for (const socket of flood) socket.readableLength = 40;
  connections.check();
  assert.equal(countOpen(flood), 2);
});

test('counts the unread bytes of a TLS connection', () => {
  const { connections, connect, secure } = open();
  const secured = Array.from({ length: 5 }, () => secure(connect('10.0.0.1')));
  for (const socket of secured) socket.writableLength = 40;
  connections.check();
  assert.equal(countOpen(secured), 2);
});

test('counts the bytes of a body of unknown length as they arrive', () => {
  const { connections, connect } = open();
  const uploads = Array.from({ length: 5 }, () => connect('10.0.0.1'));
  for (const socket of uploads) assert.ok(connections.reserve(socket, undefined));
  for (const socket of uploads) socket.bytesRead = 40;
  connections.check();
  assert.equal(countOpen(uploads), 2);
});

test('refuses to reserve memory beyond the share of a holder until memory is released', () => {
  const { connections, connect } = open();
  const [first, second, other] = [connect('10.0.0.1'), connect('10.0.0.1'), connect('10.0.0.2')];
  assert.ok(connections.reserve(first, 45));
  assert.equal(connections.reserve(second, 45), false);
  assert.ok(connections.reserve(other, 45));
  connections.release(first);
  assert.ok(connections.reserve(second, 45));
});

test('closes the oldest connection of the holder with the most connections when the limit is exceeded', () => {
  const { connections, connect } = open({ connections: 4 });
  const flood = Array.from({ length: 3 }, () => connect('10.0.0.1'));
  const others = [connect('10.0.0.2'), connect('10.0.0.3')];
  assert.deepEqual([flood[0]?.isOpen, countOpen(flood), countOpen(others)], [false, 2, 2]);
  assert.equal(connections.size, 4);
});

test('limits the connections of a single holder', () => {
  const { connect, clock } = open({ connectionsPerHolder: 3 });
  const flood = Array.from({ length: 3 }, () => connect('10.0.0.1'));
  clock.advance(1000);
  flood.push(connect('10.0.0.1'));
  assert.deepEqual([countOpen(flood), flood[0]?.isOpen], [3, false]);
});

test('keeps the connection of a known user open despite a flood from the same address', () => {
  const { connections, connect } = open({ connections: 10 });
  const page = connect('10.0.0.1');
  connections.identify(page, 'user 5');
  const flood = Array.from({ length: 100 }, () => connect('10.0.0.1'));
  assert.ok(page.isOpen);
  assert.equal(countOpen(flood), 9);
});

test('closes connections of an address that keeps reconnecting', async () => {
  const { connect, server, clock, setUp } = open({ connectionsPerHolder: 10 });
  server.on('connection', (socket: FakeSocket) => socket.destroy());
  let handled = 0;
  server.on('connection', () => {
    handled += 1;
  });
  const flood = async (count: number): Promise<void> => {
    for (let nth = 0; nth < count; nth += 1) {
      connect('10.0.0.1');
      await setUp();
    }
  };
  await flood(100);
  assert.equal(handled, 10);
  clock.advance(1000);
  await flood(100);
  assert.equal(handled, 20);
  assert.ok(connect('10.0.0.2').isOpen, 'another address is not limited');
});

test('accepts all connections that an address may hold at the same time', () => {
  const { connect } = open({ connectionsPerHolder: 50 });
  assert.equal(countOpen(Array.from({ length: 50 }, () => connect('10.0.0.1'))), 50);
});

test('counts the connections of all servers together', () => {
  const { connections, connect } = open({ connections: 3 });
  const second = new EventEmitter();
  connections.watch(second as Server);
  const broker = Array.from({ length: 3 }, () => connect('10.0.0.1'));
  second.emit('connection', new FakeSocket('10.0.0.2'));
  assert.deepEqual([countOpen(broker), connections.size], [2, 3]);
});

test('derives the connection limit from the number of file descriptors, with a reserve', () => {
  const memoryBytes = 384 * 1024 * 1024;
  const counts = [1024, 4096, 8192].map((files) => budgetOf({ files, memoryBytes }).connections);
  assert.deepEqual(counts, [768, 3840, 4096]);
});

test('derives the limits on bytes in flight and connections from the granted memory', () => {
  const { bytes, bytesPerHolder, connections } = budgetOf({ files: 8192, memoryBytes: 96 * 1024 * 1024 });
  assert.deepEqual([bytes, bytesPerHolder, connections], [8 * 1024 * 1024, 2 * 1024 * 1024, 1024]);
});

const LIMITS =
  'Max processes  100  200  processes\nMax open files            1024                 4096       files\n';

test("reads the granted descriptors and memory from the process's limits and its control group", () => {
  const files: Record<string, string> = {
    '/proc/self/limits': LIMITS,
    '/proc/self/cgroup': '0::/system.slice/cartwright.service\n',
    '/sys/fs/cgroup/system.slice/cartwright.service/memory.high': '201326592\n',
  };
  assert.deepEqual(
    grantOf((path) => files[path] ?? ''),
    { files: 1024, memoryBytes: 201_326_592 },
  );
});

test('closes at most 16 connections in an event-loop iteration', async () => {
  const { connections, connect } = open({ bytesPerHolder: 0 });
  const flood = Array.from({ length: 51 }, () => connect('10.0.0.1', 10));
  connections.check();
  const counts = [countOpen(flood)];
  while (countOpen(flood) > 1) {
    await new Promise((resolve) => setImmediate(resolve));
    counts.push(countOpen(flood));
  }
  assert.deepEqual(counts, [35, 19, 3, 1]);
});

test('passes connections to the server round-robin by address', async () => {
  const { server, connect, setUp } = open();
  const order: string[] = [];
  server.on('connection', ({ remoteAddress }: FakeSocket) => order.push(remoteAddress));
  for (let nth = 0; nth < 20; nth += 1) connect('10.0.0.1');
  connect('10.0.0.2');
  await setUp();
  assert.equal(order.length, 21);
  assert.ok(order.indexOf('10.0.0.2') <= 1, order.join(' '));
});

test('drops a connection that fails before it is passed to the server', async () => {
  const { server, connect, setUp } = open();
  let passed = 0;
  server.on('connection', () => (passed += 1));
  const socket = connect('10.0.0.1');
  socket.emit('error', new Error('ECONNRESET'));
  socket.destroy();
  connect('10.0.0.1');
  await setUp();
  assert.equal(passed, 1);
});

const GROUPS: [limits: string, group: string, files: Record<string, string>, memoryMb: number][] = [
  ['MemoryHigh of version 2', '0::/unit\n', { '/unit/memory.high': '100', '/unit/memory.max': '512' }, 100],
  ['three quarters of MemoryMax of version 2', '0::/unit\n', { '/unit/memory.max': '256' }, 192],
  ['the limit of a parent group', '0::/slice/unit\n', { '/slice/memory.max': '128' }, 96],
  ['the limit of the root of a container', '0::/\n', { '/memory.max': '128' }, 96],
  [
    'three quarters of the limit of version 1',
    '4:memory:/unit\n',
    { '/memory/unit/memory.limit_in_bytes': '256' },
    192,
  ],
  [
    'version 1 with shared controllers',
    '4:cpu,memory:/unit\n0::/\n',
    { '/memory/unit/memory.limit_in_bytes': '128' },
    96,
  ],
  ['at most the default despite a large maximum', '0::/unit\n', { '/unit/memory.max': '8192' }, 384],
];

for (const [limits, group, limitsMb, memoryMb] of GROUPS) {
  test(`reads ${limits} from the control group`, () => {
    const read = (path: string): string => {
      if (path === '/proc/self/cgroup') return group;
      const mb = limitsMb[path.replace('/sys/fs/cgroup', '')];
      return mb === undefined ? '' : `${Number(mb) * 1024 * 1024}\n`;
    };
    assert.equal(grantOf(read).memoryBytes, memoryMb * 1024 * 1024);
  });
}

test('uses the defaults of the unit file when no limit can be read', () => {
  const unlimited: Record<string, string> = {
    '/proc/self/cgroup': '0::/\n',
    '/sys/fs/cgroup/memory.high': 'max\n',
  };
  for (const read of [() => '', (path: string) => unlimited[path] ?? ''])
    assert.deepEqual(grantOf(read), { files: 8192, memoryBytes: 402_653_184 });
});

test.run();
