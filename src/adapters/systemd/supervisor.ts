import type { UnixDatagramSocket } from 'unix-dgram';
import { messageOf } from '../../shared/errors.js';
import type { Log, Supervisor } from '../../shared/ports/ports.js';

/** The part of `process` that a supervisor is found by. */
interface Supervised {
  env: NodeJS.ProcessEnv;
  /** There when the parent can be talked to. */
  send?: (message: unknown) => boolean;
  connected: boolean;
}

const NOBODY: Supervisor = {
  ready: () => undefined,
  alive: () => undefined,
  status: () => undefined,
  stopping: () => undefined,
  close: () => undefined,
};

/** Whoever started this process and waits to hear of it: systemd, a parent that Node can talk to (pm2), or nobody. */
export async function findSupervisor(log: Log, own: Supervised = process): Promise<Supervisor> {
  const { NOTIFY_SOCKET: socket } = own.env;
  if (socket) return connectSystemd({ socket, log });
  if (!own.send) return NOBODY;
  return { ...NOBODY, ready: () => void (own.connected && own.send?.('ready')) };
}

interface SystemdOptions {
  /** `$NOTIFY_SOCKET`: where systemd listens. */
  socket: string;
  log: Log;
}

/**
 * Speaks sd_notify(3) with systemd. What cannot be sent is told to the log once and never thrown: systemd draws its own
 * conclusion from silence.
 */
async function connectSystemd({ socket: path, log }: SystemdOptions): Promise<Supervisor> {
  const { createSocket } = await import('unix-dgram');
  const socket: UnixDatagramSocket = createSocket('unix_dgram');
  let isOpen = true;
  let isTold = false;
  const say = (...assignments: string[]): void => {
    if (!isOpen) return;
    const datagram = Buffer.from(assignments.join('\n'));
    socket.send(datagram, 0, datagram.length, path, (error) => {
      if (error && !isTold) log.warn('systemd.not_told', { socket: path, reason: messageOf(error) });
      isTold = error !== undefined;
    });
  };
  return {
    ready: (status) => say('READY=1', statusLine(status)),
    alive: () => say('WATCHDOG=1'),
    status: (status) => say(statusLine(status)),
    stopping: () => say('STOPPING=1', statusLine('Stopping')),
    close() {
      isOpen = false;
      socket.close();
    },
  };
}

/** A datagram is lines: a second line in the status would be another assignment. */
function statusLine(status: string): string {
  return `STATUS=${status.replace(/\s+/g, ' ')}`;
}
