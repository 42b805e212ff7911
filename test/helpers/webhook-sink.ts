import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Post {
  headers: IncomingHttpHeaders;
  body: string;
}

/** An HTTP server that stores the requests that it receives. */
export class WebhookSink {
  readonly posts: Post[] = [];
  readonly #server: Server;

  private constructor(respond: (response: ServerResponse) => void) {
    this.#server = createServer(async (request, response) => {
      this.posts.push({ headers: request.headers, body: await text(request) });
      respond(response);
    });
  }

  /** @param respond sends the response; by default, an empty response with status 204. */
  static async listen(
    { host = '127.0.0.1', port = 0 } = {},
    respond = (response: ServerResponse): void => void response.writeHead(204).end(),
  ): Promise<WebhookSink> {
    const sink = new WebhookSink(respond);
    sink.#server.listen(port, host);
    await once(sink.#server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
