import { translated } from '../../i18n/messages.js';
import type { Text } from '../../shared/messages/message.js';
import { type LayoutContext, type LayoutData, layoutContext } from './layout-context.js';

export type { LayoutContext, LayoutData } from './layout-context.js';

/** A line above the page's content: `Saved`, or why not. */
export interface Notice {
  ok: boolean;
  title: Text;
  message?: Text;
  /** What to do. */
  hint?: Text;
  /** It is about the change on trial, and goes when that is over or another one begins. */
  isTrial?: true;
}

/** A notice with its sentences in the language of the page. */
export type Translated<N> = Omit<N, 'title' | 'message' | 'hint'> & {
  title: string;
  message?: string;
  hint?: string;
};

/** Translates the sentences of a notice. */
export function noticeText<N extends Omit<Notice, 'ok'>>(notice: N): Translated<N> {
  const { title, message, hint } = notice;
  return {
    ...notice,
    title: translated(title),
    ...(message === undefined ? {} : { message: translated(message) }),
    ...(hint === undefined ? {} : { hint: translated(hint) }),
  };
}

/** A page that could not be given: status, sentence and what to do. */
export interface ErrorPage {
  status: number;
  title: Text;
  message: Text;
  hint?: Text;
  code?: string;
}

/** `web/error.html`: for whoever asked for HTML and got an error. */
export function errorContext(
  layout: LayoutData,
  error: ErrorPage,
): LayoutContext & { error: Translated<ErrorPage> } {
  const shown = noticeText(error);
  return { ...layoutContext(layout, { title: shown.title, page: 'error' }), error: shown };
}
