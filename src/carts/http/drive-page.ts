import type { Severity } from '../../i18n/format.js';
import { t } from '../../i18n/page-text.js';
import type { Text } from '../../shared/messages/message.js';
import { noticeText, type Translated } from '../../web/layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../../web/layout/layout-context.js';
import { runningOf } from '../../web/layout/status-line.js';
import type { CommandView } from '../command/model.js';
import { type CartRow, cartRow } from '../labels/cart-rows.js';
import { type CommandRow, commandRow } from '../labels/command-rows.js';
import { cameraText } from '../labels/labels.js';
import { type CommandForm, type CommandFormInput, commandForm } from './command-form.js';

export interface Outcome {
  ok: boolean;
  title: Text;
  message: Text;
  hint?: Text;
  command?: CommandView;
}

interface IndexContext extends LayoutContext {
  form: CommandForm;
  carts: CartRow[];
  now: CartRow[];
  commands: CommandRow[];
  hasCommands: boolean;
  camera: LayoutData['links']['camera'];
  /** Empty context for rendering the rows inside `<template>`. */
  blank: Record<string, never>;
  outcome: (Translated<Omit<Outcome, 'command'>> & { tone: Severity; command: CommandRow | null }) | null;
}

export function indexContext(
  layout: LayoutData,
  input: CommandFormInput & { commands: CommandView[]; outcome?: Outcome },
): IndexContext {
  const { commands, outcome } = input;
  const entered = Number(input.entered?.cartID);
  const selectedID = outcome?.command?.cartID ?? (entered || undefined);
  const base = layoutContext(layout, { title: t`Drive`, page: 'drive', selectedID, commands });
  const carts = layout.carts.map((cart) => cartRow(cart, runningOf(cart, commands)));
  return {
    ...base,
    form: commandForm(input, layout.carts, base.safety.cartID),
    carts,
    now: carts.filter(({ cartID }) => cartID === base.safety.cartID),
    commands: commands.map(commandRow),
    hasCommands: commands.length > 0,
    camera: cameraText(layout.links.camera),
    blank: {},
    outcome: outcome
      ? {
          ...noticeText(outcome),
          tone: outcome.ok ? 'quiet' : 'stop',
          command: outcome.command ? commandRow(outcome.command) : null,
        }
      : null,
  };
}
