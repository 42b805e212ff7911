import type { UnixDatagramSocket } from 'unix-dgram';
import { messageOf } from '../../shared/errors.js';
import type { Log, Supervisor } from '../../shared/ports/ports.js';

interface SystemdOptions {
  /** `$NOTIFY_SOCKET`: where systemd listens. */
  socket: string;
  log: Log;
}

/**
 * Speaks sd_notify(3) with systemd. What cannot be sent is told to the log once and never thrown: systemd draws its own
 * conclusion from silence.
 */
export async function connectSystemd({ socket: path, log }: SystemdOptions): Promise<Supervisor> {
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
