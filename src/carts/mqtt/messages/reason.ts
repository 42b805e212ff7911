import { cutText } from '../../../shared/cut-text.js';
import { type ErrorCode, isErrorCode } from '../../../shared/errors.js';
import { textOf } from '../../../shared/messages/message.js';
import type { Reason } from '../../command/model.js';

/**
 * Reads another gateway's reason. A code that this version does not know, or that reports an unexpected error,
 * is replaced by `fallback` and kept in the text.
 */
export function knownReason(
  { code, text, ...zone }: Omit<Reason, 'code'> & { code: string },
  fallback: ErrorCode,
): Reason {
  // `INTERNAL` would denote an unexpected error of this gateway.
  if (isErrorCode(code) && code !== 'INTERNAL') return { code, text, ...zone };
  return { code: fallback, text: `${code}: ${textOf(text)}` };
}

/** Formats the `resultDescription` of a failed instant action: `CODE: text`, at most 160 characters. */
export function describeReason({ code, text }: Reason): string {
  return cutText(`${code}: ${textOf(text)}`, 160);
}

/**
 * Reads a `resultDescription`, which contains only text in VDA 5050. The acknowledgement of the same action contains
 * the code in its own field and usually arrives first. A description in another manufacturer's format becomes the
 * text unchanged.
 */
export function describedReason(description: string, fallback: ErrorCode): Reason {
  const [, code = '', text = ''] = /^([A-Z_]{2,40}): (.*)$/s.exec(description) ?? [];
  return code === '' ? { code: fallback, text: description } : knownReason({ code, text }, fallback);
}
