import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { fileErrorCode, syncPath } from '../../shared/files.js';
import type { Revocation } from '../../shared/ports/revocations.js';
import { isJsonObject } from '../../shared/validation/json.js';

export interface RevocationFile {
  exists: boolean;
  entries: Revocation[];
  /** Highest sequence number, or 0. */
  last: number;
  /** Number of unreadable lines. Does not count a last line without a line break, which a power cut may leave. */
  damagedLines: number;
  /** Byte offset of the end of the last readable line. */
  end: number;
  bytes: number;
}

const LINE = /^([0-9a-f]{8}) (\{.*\})$/;

/** Treats an I/O error (EIO) as damage; throws other file errors. */
export function readRevocations(path: string): RevocationFile {
  const found: RevocationFile = {
    exists: existsSync(path),
    entries: [],
    last: 0,
    damagedLines: 0,
    end: 0,
    bytes: 0,
  };
  if (!found.exists) return found;
  const content = contentOf(path);
  if (!content) return { ...found, damagedLines: 1 };
  found.bytes = content.length;
  let unread = 0;
  for (let start = 0; start < content.length; ) {
    const newline = content.indexOf(0x0a, start);
    const end = newline < 0 ? content.length : newline;
    const line = content.toString('utf8', start, end);
    const entry = parse(newline < 0 ? line.slice(0, -1) : line);
    // A power cut leaves only the beginning of a line, so an entry that is complete except for its line break was
    // damaged in some other way.
    const isWhole = newline >= 0 || entry !== undefined;
    if (entry) {
      found.entries.push(entry);
      found.last = Math.max(found.last, entry.sequence);
      found.damagedLines += unread;
      unread = 0;
      found.end = end + 1;
    } else if (isWhole) unread += 1;
    if (newline < 0 && entry) found.damagedLines += 1;
    start = end + 1;
  }
  found.damagedLines += unread;
  return found;
}

/** Removes an incomplete last line, appends the entries and fsyncs the file. Throws file errors. */
export function appendRevocations(path: string, file: RevocationFile, entries: readonly Revocation[]): void {
  const handle = openSync(path, 'a', 0o600);
  try {
    if (file.end < file.bytes) ftruncateSync(handle, file.end);
    writeAll(handle, entries);
  } finally {
    closeSync(handle);
  }
  if (!file.exists) syncPath(dirname(path));
}

export function rewriteRevocations(path: string, entries: readonly Revocation[]): void {
  const temp = `${path}.tmp`;
  const handle = openSync(temp, 'w', 0o600);
  try {
    writeAll(handle, entries);
  } finally {
    closeSync(handle);
  }
  renameSync(temp, path);
  syncPath(dirname(path));
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (fileErrorCode(error) === 'EIO') return undefined;
    throw error;
  }
}

function writeAll(handle: number, entries: readonly Revocation[]): void {
  const bytes = Buffer.from(entries.map(lineOf).join(''));
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
  fsyncSync(handle);
}

function lineOf({ sequence, subject, what, value }: Revocation): string {
  const json = JSON.stringify({ sequence, subject, what, value });
  return `${checksum(json)} ${json}\n`;
}

function parse(line: string): Revocation | undefined {
  const [, sum, json = ''] = LINE.exec(line) ?? [];
  if (sum !== checksum(json)) return undefined;
  const { subject, what, value, sequence } = asObject(JSON.parse(json));
  if (typeof subject !== 'string' || typeof what !== 'string' || typeof value !== 'string') return undefined;
  return typeof sequence === 'number' ? { subject, what, value, sequence } : undefined;
}

function asObject(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
