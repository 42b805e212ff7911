import type { CommandView } from '../../carts/command/model.js';
import { type CommandForm, type CommandFormInput, commandForm } from '../../carts/http/command-form.js';
import { type CartRow, cartRow } from '../../carts/labels/cart-rows.js';
import { type CommandRow, commandRow } from '../../carts/labels/command-rows.js';
import { cameraTold } from '../../carts/labels/labels.js';
import type { Severity } from '../../i18n/format.js';
import { t, told } from '../../i18n/page.js';
import type { SettingsForm } from '../../settings/http/form.js';
import type { Text } from '../../shared/messages/message.js';
import { type FrameContext, type FrameData, frameContext, runningOf } from './layout-context.js';

export type { FrameContext, FrameData } from './layout-context.js';

/** How a submission went, in three parts: what happened, what it means for the cart, what to do. */
export interface Outcome {
  ok: boolean;
  title: Text;
  message: Text;
  hint?: Text;
  command?: CommandView;
}

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
export function noticeTold<N extends Omit<Notice, 'ok'>>(notice: N): Translated<N> {
  const { title, message, hint } = notice;
  return {
    ...notice,
    title: told(title),
    ...(message === undefined ? {} : { message: told(message) }),
    ...(hint === undefined ? {} : { hint: told(hint) }),
  };
}

/** What `carts/index.html` shows. */
interface IndexContext extends FrameContext {
  form: CommandForm;
  carts: CartRow[];
  now: CartRow[];
  commands: CommandRow[];
  hasCommands: boolean;
  camera: FrameData['links']['camera'];
  /** Something true without members: the rows inside `<template>` are drawn with it. */
  blank: Record<string, never>;
  outcome: (Translated<Omit<Outcome, 'command'>> & { tone: Severity; command: CommandRow | null }) | null;
}

/** The drive page. `outcome` is what became of the command that was just posted. */
export function indexContext(
  frame: FrameData,
  input: CommandFormInput & { commands: CommandView[]; outcome?: Outcome },
): IndexContext {
  const { commands, outcome } = input;
  const entered = Number(input.entered?.cartID);
  const selectedID = outcome?.command?.cartID ?? (entered || undefined);
  const base = frameContext(frame, { title: t`Drive`, page: 'drive', selectedID, commands });
  const carts = frame.carts.map((cart) => cartRow(cart, runningOf(cart, commands)));
  return {
    ...base,
    form: commandForm(input, frame.carts, base.safety.cartID),
    carts,
    now: carts.filter(({ cartID }) => cartID === base.safety.cartID),
    commands: commands.map(commandRow),
    hasCommands: commands.length > 0,
    camera: cameraTold(frame.links.camera),
    blank: {},
    outcome: outcome
      ? {
          ...noticeTold(outcome),
          tone: outcome.ok ? 'quiet' : 'stop',
          command: outcome.command ? commandRow(outcome.command) : null,
        }
      : null,
  };
}

/** `settings/brokerSettings.html`: the form that `settingsForm` made. */
export function brokerSettingsContext(
  frame: FrameData,
  form: SettingsForm,
  notice?: Notice,
): FrameContext & { form: SettingsForm; notice: Translated<Notice> | null } {
  // With faults the form's own summary says that nothing was saved, and links to each of them.
  const shown = form.hasFaults || !notice ? null : noticeTold(notice);
  return { ...frameContext(frame, { title: t`Settings`, page: 'settings' }), form, notice: shown };
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
  frame: FrameData,
  error: ErrorPage,
): FrameContext & { error: Translated<ErrorPage> } {
  const shown = noticeTold(error);
  return { ...frameContext(frame, { title: shown.title, page: 'error' }), error: shown };
}
