import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { fileErrorCode } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import { webMessage } from '../messages.js';
import { outcomeOf, type Representation } from './conditional.js';

/** Bytes that the response sends; both positions are inclusive. */
interface Part {
  first: number;
  last: number;
}

export interface Content {
  body: Buffer;
  /** Must be strong. */
  etag: string;
  /** Headers of the response, including the media type. They are not set if the request is rejected. */
  headers: Readonly<Record<string, string>>;
}

/** Returns the strong entity tag of these bytes. */
export function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`;
}

/**
 * Sends a file, or the part of it that the request's `Range` selects, and evaluates the request's conditions.
 * The media type depends on the file name's extension. Rejects with `NOT_FOUND` and the message `missing` if
 * the file does not exist, or with `PRECONDITION_FAILED` or `RANGE_NOT_SATISFIABLE`.
 */
export async function sendFile(
  req: Request,
  res: Response,
  { path, missing }: { path: string; missing: Text },
): Promise<void> {
  const file = await openFile(path, missing);
  try {
    const { ino, size, mtimeNs } = await file.stat({ bigint: true });
    const representation: Representation = {
      // A file is never changed in place, so these three values identify its bytes.
      etag: `"${[ino, size, mtimeNs].map((number) => number.toString(36)).join('-')}"`,
      modifiedMs: Number(mtimeNs / 1_000_000n),
      size: Number(size),
    };
    const part = begin(req, res.type(extname(path)), representation, {});
    if (part) await sendPart(res, file, part);
  } finally {
    await file.close();
  }
}

/**
 * Sends bytes from memory in the same way as `sendFile`. Throws `PRECONDITION_FAILED` or
 * `RANGE_NOT_SATISFIABLE`.
 */
export function sendBytes(req: Request, res: Response, { body, etag, headers }: Content): void {
  const part = begin(req, res, { etag, size: body.length }, headers);
  if (part) res.end(body.subarray(part.first, part.last + 1));
}

async function openFile(path: string, missing: Text): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (cause) {
    if (fileErrorCode(cause) !== 'ENOENT') throw cause;
    throw new GatewayError('NOT_FOUND', missing, { cause });
  }
}

/** Sets the status and the headers. Ends the response and returns undefined if it has no body. */
function begin(
  req: Request,
  res: Response,
  representation: Representation,
  headers: Content['headers'],
): Part | undefined {
  const { etag, modifiedMs, size } = representation;
  const outcome = outcomeOf(req, representation);
  if (outcome.status === 412) {
    throw new GatewayError('PRECONDITION_FAILED', webMessage('precondition-failed'));
  }
  if (outcome.status === 416) {
    res.setHeader('content-range', `bytes */${size}`);
    throw new GatewayError('RANGE_NOT_SATISFIABLE', webMessage('range-not-satisfiable', { size }), {
      limit: size,
      unit: 'bytes',
    });
  }
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('accept-ranges', 'bytes');
  res.setHeader('etag', etag);
  if (modifiedMs !== undefined) res.setHeader('last-modified', new Date(modifiedMs).toUTCString());
  res.status(outcome.status);
  if (outcome.status === 304) {
    for (const name of ['content-type', 'content-encoding', 'content-disposition']) res.removeHeader(name);
    return void res.end();
  }
  const part = outcome.status === 206 ? outcome : { first: 0, last: size - 1 };
  if (outcome.status === 206) res.setHeader('content-range', `bytes ${part.first}-${part.last}/${size}`);
  res.setHeader('content-length', part.last - part.first + 1);
  if (req.method !== 'HEAD' && size > 0) return part;
  return void res.end();
}

/** Headers that describe the file; an error response must not contain them. */
const FILE_HEADERS = ['accept-ranges', 'content-length', 'content-range', 'etag', 'last-modified'];

async function sendPart(res: Response, file: FileHandle, { first, last }: Part): Promise<void> {
  const stream = file.createReadStream({ start: first, end: last, autoClose: false });
  try {
    await pipeline(stream, res, { end: false });
  } catch (error) {
    // If the response is destroyed, the client has disconnected; a read error does not destroy it.
    if (res.destroyed) return;
    if (!res.headersSent) for (const name of FILE_HEADERS) res.removeHeader(name);
    throw error;
  }
  // If the file has become shorter, the connection is closed, because the client would otherwise wait for the rest.
  if (stream.bytesRead < last - first + 1) res.destroy();
  else res.end();
}
