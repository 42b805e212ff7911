import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RecordedResponse {
  method: string;
  path: string;
  status: number;
  type: string;
  /** Undefined if the body was too long or compressed. */
  body: string | undefined;
}

/** Bodies that are longer than this are not recorded. */
const MAX_BODY = 2 * 1024 * 1024;

/** Records the response to a request and passes the complete response to `onResponse`. */
export function recordResponse(
  req: IncomingMessage,
  res: ServerResponse,
  onResponse: (answer: RecordedResponse) => void,
): void {
  const { method = '', url = '' } = req;
  const chunks: (string | Uint8Array)[] = [];
  let length = 0;
  const record = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    length += chunk.length;
    // The chunk is not copied, because a thousand unread responses may share one document's bytes.
    if (length <= MAX_BODY) chunks.push(chunk);
  };
  const { write, end } = res;
  res.write = (...args: unknown[]) => {
    record(args[0]);
    return write.apply(res, args as Parameters<typeof write>);
  };
  res.end = (...args: unknown[]) => {
    record(args[0]);
    return end.apply(res, args as Parameters<typeof end>);
  };
  res.on('finish', () => {
    if (isFromNode(req, res)) return;
    const isEncoded = /^content-encoding:/im.test(headOf(res));
    const body =
      length > MAX_BODY || isEncoded
        ? undefined
        : Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string))).toString();
    const type = /^content-type: *(.*)$/im.exec(headOf(res))?.[1]?.trim() ?? '';
    onResponse({ method, path: pathOf(url), status: res.statusCode, type, body });
  });
}

/** Node itself rejects a request that has no Host header or an unknown Expect header. */
function isFromNode({ headers }: IncomingMessage, { statusCode }: ServerResponse): boolean {
  return statusCode === 417 || (statusCode === 400 && headers.host === undefined);
}

/** A request target may be an absolute URL; an invalid one has no path. */
function pathOf(url: string): string {
  if (url.startsWith('/')) return url.split('?')[0] ?? '';
  return URL.canParse(url) ? new URL(url).pathname : '*';
}

/**
 * Returns the response header as it was sent, because headers passed to `writeHead` as an array are not
 * available elsewhere.
 */
function headOf(res: ServerResponse): string {
  return (res as unknown as { _header: string | null })._header ?? '';
}
