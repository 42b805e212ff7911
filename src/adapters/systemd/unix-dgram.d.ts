declare module 'unix-dgram' {
  import type { EventEmitter } from 'node:events';

  export interface UnixDatagramSocket extends EventEmitter {
    bind(path: string): void;
    /** Calls `callback` synchronously, with an error if the datagram was not accepted. */
    send(
      datagram: Buffer,
      offset: number,
      length: number,
      path: string,
      callback: (error?: Error) => void,
    ): void;
    close(): void;
  }

  export function createSocket(
    type: 'unix_dgram',
    onMessage?: (datagram: Buffer) => void,
  ): UnixDatagramSocket;
}
