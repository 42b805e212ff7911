import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import type { EventFeed } from '../../src/carts/http/events.js';

/** In-memory reader of `GET /events` with a controlled reading speed. */
export class EventReader extends EventEmitter {
  writableHighWaterMark = 16_384;
  writableLength = 0;
  isSlow = false;
  isEnded = false;
  events: { name: string; data: { seq: number; sentMs: number } & Record<string, unknown> }[] = [];
  setHeader = (): void => undefined;
  writeHead = (): void => undefined;
  destroy = (): void => undefined;

  /** Ends the stream, which closes after all data has been read. */
  end(): void {
    this.isEnded = true;
  }

  write(text: string): void {
    if (this.isEnded) throw new Error('write after end');
    if (this.isSlow) this.writableLength += Buffer.byteLength(text);
    for (const [, name = '', data = ''] of text.matchAll(/^event: (.*)\nid: .*\ndata: (.*)$/gm)) {
      this.events.push({ name, data: JSON.parse(data) });
    }
  }

  readAll(): void {
    this.writableLength = 0;
    this.emit('drain');
  }

  join(feed: EventFeed): this {
    const req = { method: 'GET', url: '/events', query: {}, socket: {} } as unknown as Request;
    for (const handler of feed.router().routes.values())
      void handler(req, this as unknown as Response, (error: unknown) => {
        throw error;
      });
    return this;
  }
}
