import { connect, type Socket } from 'node:net';
import { argv } from 'node:process';
import type { FloodOptions } from './flood.js';

/** Runs a flood's clients in a separate process, so that they do not block the test's event loop. */
const {
  port,
  from,
  sockets,
  request,
  pipelined = 1,
  reads = true,
} = JSON.parse(argv[2] ?? '{}') as FloodOptions;

const bytes = Buffer.from(request.repeat(pipelined), 'latin1');
const STATUS = /HTTP\/1\.1 (\d{3}) /g;
const REOPEN_MS = 50;
const statuses: Record<string, number> = {};
let closed = 0;
let connected = 0;

function open(): void {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.setNoDelay(true);
  socket.on('connect', () => {
    socket.write(bytes);
    connected += 1;
    if (connected === sockets) process.send?.('connected');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed += 1;
    setTimeout(open, REOPEN_MS).unref();
  });
  if (!reads) return void socket.pause();
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    for (const [, status = ''] of text.matchAll(STATUS)) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      socket.write(request, 'latin1');
    }
  });
}

for (let nth = 0; nth < sockets; nth += 1) setTimeout(open, nth / 2);
process.on('message', () => {
  process.send?.({ statuses, closed });
});
process.on('disconnect', () => process.exit());
