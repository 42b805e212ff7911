import type { HttpFailure } from '../../http/errors.js';
import type { Notice } from '../../http/pages.js';
import { translated } from '../../i18n/messages.js';
import type { Text } from '../../shared/messages/message.js';
import { type LayoutContext, type LayoutData, layoutContext } from './layout-context.js';

export type { LayoutContext, LayoutData } from './layout-context.js';

export type Translated<N> = Omit<N, 'title' | 'message' | 'hint'> & {
  title: string;
  message?: string;
  hint?: string;
};

export function noticeText<N extends Omit<Notice, 'ok'>>(notice: N): Translated<N> {
  const { title, message, hint } = notice;
  return {
    ...notice,
    title: translated(title),
    ...(message === undefined ? {} : { message: translated(message) }),
    ...(hint === undefined ? {} : { hint: translated(hint) }),
  };
}

export interface ErrorPage {
  status: number;
  title: Text;
  message: Text;
  hint?: Text;
  code?: string;
}

export function errorPageOf({ status, body }: HttpFailure): ErrorPage {
  const { error: title, message, code, hint } = body;
  return { status, title, message, code, ...(hint ? { hint } : {}) };
}

export function errorContext(
  layout: LayoutData,
  error: ErrorPage,
): LayoutContext & { error: Translated<ErrorPage> } {
  const shown = noticeText(error);
  return { ...layoutContext(layout, { title: shown.title }), error: shown };
}
