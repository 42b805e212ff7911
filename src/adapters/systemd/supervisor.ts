import type { UnixDatagramSocket } from 'unix-dgram';
import { messageOf } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import type { Supervisor } from '../../shared/ports/supervisor.js';

interface Supervised {
  env: NodeJS.ProcessEnv;
  send?: (message: unknown) => boolean;
  connected: boolean;
}

const SYSTEMD_RESTART = 'sudo systemctl restart cartwright';
/** The name of the process in ecosystem.config.js. */
const PM2_RESTART = 'pm2 restart cartwright';

const NO_SUPERVISOR: Supervisor = {
  restartCommand: '',
  ready: () => undefined,
  alive: () => undefined,
  status: () => undefined,
  stopping: () => undefined,
  close: () => undefined,
};

/** Finds the supervisor: systemd, a parent with an IPC channel (pm2), or none. */
export async function findSupervisor(log: Log, own: Supervised = process): Promise<Supervisor> {
  const { NOTIFY_SOCKET: socket, pm_id: pm2Id } = own.env;
  if (socket) return connectSystemd({ socket, log });
  if (!own.send) return NO_SUPERVISOR;
  return {
    ...NO_SUPERVISOR,
    // Only pm2 sets `pm_id`; other parent processes can also open an IPC channel.
    restartCommand: pm2Id === undefined ? '' : PM2_RESTART,
    ready: () => void (own.connected && own.send?.('ready')),
  };
}

interface SystemdOptions {
  socket: string;
  log: Log;
}

/** Implements sd_notify(3). If notifications stop, systemd restarts the gateway. */
async function connectSystemd({ socket: path, log }: SystemdOptions): Promise<Supervisor> {
  const { createSocket } = await import('unix-dgram');
  const socket: UnixDatagramSocket = createSocket('unix_dgram');
  let isOpen = true;
  let isFailing = false;
  const notify = (...assignments: string[]): void => {
    if (!isOpen) return;
    const datagram = Buffer.from(assignments.join('\n'));
    socket.send(datagram, 0, datagram.length, path, (error) => {
      if (error && !isFailing) log.warn('systemd.notify_failed', { socket: path, reason: messageOf(error) });
      isFailing = error !== undefined;
    });
  };
  return {
    restartCommand: SYSTEMD_RESTART,
    ready: (status) => notify('READY=1', statusLine(status)),
    alive: () => notify('WATCHDOG=1'),
    status: (status) => notify(statusLine(status)),
    stopping: () => notify('STOPPING=1', statusLine('Stopping')),
    close() {
      isOpen = false;
      socket.close();
    },
  };
}

/** Joins the lines of the status, because each line of a datagram is a separate assignment. */
function statusLine(status: string): string {
  return `STATUS=${status.replace(/\s+/g, ' ')}`;
}
