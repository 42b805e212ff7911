import { readFile, stat } from 'node:fs/promises';
import { messageOf } from '../../shared/errors.js';
import { fileErrorCode, fileErrorReason } from '../../shared/files.js';
import { isJsonObject, JSON_MAX_BYTES, parseJson, utf8Text } from '../../shared/validation/json.js';
import type { JsonObject } from './document.js';

export interface Version {
  text: string;
  /** Undefined if `problem` is set. */
  raw: JsonObject | undefined;
  /** Why the file is unusable, such as `the document is not valid JSON: line 3, …`; otherwise, empty. */
  problem: string;
  /** Permission bits. */
  mode: number;
}

/** Reads a settings file, or returns undefined if it does not exist. Errors are reported in `problem`. */
export async function readVersion(path: string): Promise<Version | undefined> {
  let mode = 0;
  let text = '';
  try {
    const { size, mode: bits } = await stat(path);
    mode = bits & 0o777;
    // The size is checked first, so that a huge file cannot exhaust memory.
    if (size > JSON_MAX_BYTES) throw new Error(`the file is larger than ${JSON_MAX_BYTES / 1024} kB`);
    text = utf8Text(await readFile(path));
    const raw = parseJson(text);
    if (!isJsonObject(raw)) throw new Error('the document is not a JSON object');
    return { text, raw, problem: '', mode };
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    const problem = fileErrorCode(error)
      ? `the file cannot be read: ${fileErrorReason(error)}`
      : messageOf(error);
    return { text, raw: undefined, problem, mode };
  }
}

export function isSameVersion(a: Version | undefined, b: Version | undefined): boolean {
  return a?.text === b?.text && a?.problem === b?.problem;
}

export function renderDocument(document: JsonObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
