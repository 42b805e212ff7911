import type { Request, Response } from 'express';
import { GatewayError } from '../../shared/errors.js';
import type { UploadPart, UploadProgress } from '../../shared/ports/backups.js';
import { webMessage } from '../messages.js';

/**
 * Maximum size of a part of an uploaded file. Over a slow connection, a whole file could not be sent within the
 * time limit of a request.
 */
export const PART_KIB = 4096;

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/** Stores the body as a part of a file. The response is 202, or 201 with what `store` returned after the last part. */
export async function receivePart(
  req: Request,
  res: Response,
  store: (part: UploadPart, chunks: AsyncIterable<Uint8Array>) => Promise<UploadProgress | object>,
): Promise<void> {
  try {
    const stored = await store(uploadPartOf(req), req.iterator({ destroyOnReturn: false }));
    res.status('received' in stored ? 202 : 201).json(stored);
  } catch (error) {
    await discardBody(req);
    throw error;
  }
}

/** Returns the part of the file that the body contains; without `Content-Range`, the whole file. */
function uploadPartOf({ headers }: Request): UploadPart {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', webMessage('upload-encoded'));
  }
  const bytes = Number(headers['content-length'] ?? Number.NaN);
  const maxBytes = PART_KIB * 1024;
  if (bytes > maxBytes) {
    const details = { limit: maxBytes, unit: 'bytes', hint: webMessage('upload-parts') };
    throw new GatewayError('TOO_LARGE', webMessage('upload-part-too-large'), details);
  }
  const range = headers['content-range'] ?? `bytes 0-${bytes - 1}/${bytes}`;
  const [, first, last, total] = (CONTENT_RANGE.exec(range) ?? []).map(Number);
  const isValid = first !== undefined && last !== undefined && total !== undefined;
  if (isValid && last - first + 1 === bytes && last < total) return { first, last, total };
  const field = 'content-range' in headers ? 'Content-Range' : 'Content-Length';
  throw new GatewayError('INVALID_INPUT', webMessage('upload-range'), { field });
}

/**
 * Reads the rest of the body, because clients read the response only after they have sent the body. The
 * server's time limit applies.
 */
async function discardBody(req: Request): Promise<void> {
  if (req.readableEnded || req.destroyed) return;
  const ended = new Promise<void>((resolve) => {
    req.once('end', resolve);
    req.once('close', resolve);
  });
  req.resume();
  await ended;
}
