import { language } from '../../i18n/language.js';
import type { Fault } from '../../shared/errors.js';
import { PAGE_LANGUAGE_HEADER } from '../../shared/messages/message.js';

/** `status` is 0 if no response was received. */
export interface Reply {
  ok: boolean;
  status: number;
  /** Parsed JSON; undefined for other media types. */
  body: unknown;
  /** `message`, `hint` and `faults` are in the page's language. */
  message: string;
  hint: string;
  faults: Fault[];
  /** Empty if the response has no `ETag`. */
  etag: string;
}

interface SendOptions {
  timeoutMs: number;
  /** True if the request must continue after the user leaves the page. */
  keepalive?: boolean;
  headers?: Record<string, string>;
}

/** Never throws. */
export function post(address: string, body: URLSearchParams | object, options: SendOptions): Promise<Reply> {
  return send('POST', address, options, body);
}

/** Sends a request with an optional form, file or JSON. Never throws. */
export async function send(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  address: string,
  { timeoutMs, keepalive = false, headers = {} }: SendOptions,
  body?: URLSearchParams | Blob | object,
): Promise<Reply> {
  const isJson = body !== undefined && !(body instanceof URLSearchParams || body instanceof Blob);
  const aborter = new AbortController();
  const timer = setTimeout(() => aborter.abort(), timeoutMs);
  try {
    const response = await fetch(address, {
      method,
      headers: {
        accept: 'application/json',
        [PAGE_LANGUAGE_HEADER]: language(),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : (body ?? null),
      signal: aborter.signal,
      keepalive,
      redirect: 'follow',
    });
    return await read(response);
  } catch {
    return { ok: false, status: 0, body: undefined, message: '', hint: '', faults: [], etag: '' };
  } finally {
    clearTimeout(timer);
  }
}

async function read(response: Response): Promise<Reply> {
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  const body: unknown = json ? await response.json() : undefined;
  const faults = field(body, 'faults');
  return {
    ok: response.ok,
    status: response.status,
    body,
    message: textField(body, 'message') || textField(body, 'error') || `Status ${response.status}`,
    hint: textField(body, 'hint'),
    faults: Array.isArray(faults) ? faults.map((fault) => toFault(fault)) : [],
    etag: response.headers.get('etag') ?? '',
  };
}

function toFault(fault: unknown): Fault {
  return { path: String(field(fault, 'path') ?? ''), message: textField(fault, 'message') };
}

export function textField(value: unknown, key: string): string {
  const member = field(value, key);
  return typeof member === 'string' ? member : '';
}

export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
