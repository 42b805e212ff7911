import type { CommandOutcome, CommandView } from '../../carts/index.js';
import type { Severity } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/page-text.js';
import { type CartRow, cartRow } from '../labels/cart-rows.js';
import { type CommandRow, commandRow, shownCommand } from '../labels/command-rows.js';
import { cameraText } from '../labels/labels.js';
import { noticeText, type Translated } from '../layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import { runningOf } from '../layout/status-line.js';
import { type CommandForm, type CommandFormInput, commandForm } from './command-form.js';

interface IndexContext extends LayoutContext {
  form: CommandForm;
  carts: CartRow[];
  now: CartRow[];
  commands: CommandRow[];
  hasCommands: boolean;
  /** The selected cart's running or latest command; empty if the cart has received none. */
  last: CommandRow[];
  camera: LayoutData['links']['camera'];
  /** Commands that an operator sends by holding a button. */
  presets: { mm: number; deg: number; text: string; short: string }[];
  /** Percentages of the speed limit for manual drive. */
  speeds: { percent: number; checked: boolean }[];
  /** Present if the camera view can show markers; the distance is in metres. */
  markerView: { standoff: string } | null;
  /** Empty context for rendering the rows inside `<template>`. */
  blank: Record<string, never>;
  outcome:
    | (Translated<Omit<CommandOutcome, 'command'>> & { tone: Severity; command: CommandRow | null })
    | null;
}

/** A drive to a marker ends at this distance from the marker by default; the operator can change it. */
const STANDOFF_M = 0.5;

const SPEEDS = [25, 50, 75, 100];

const presets = (): IndexContext['presets'] => [
  { mm: 500, deg: 0, text: t('0.5 m forward'), short: `↑ ${decimal(0.5, 1)} m` },
  { mm: -500, deg: 0, text: t('0.5 m back'), short: `↓ ${decimal(0.5, 1)} m` },
  { mm: 0, deg: 180, text: t('Turn round'), short: '↻ 180°' },
  { mm: 0, deg: 90, text: t('90° left'), short: '↶ 90°' },
  { mm: 0, deg: -90, text: t('90° right'), short: '↷ 90°' },
];

export function indexContext(
  layout: LayoutData,
  input: CommandFormInput & { commands: CommandView[]; outcome?: CommandOutcome },
): IndexContext {
  const { commands, outcome } = input;
  const entered = Number(input.entered?.cartID);
  const selectedID = outcome?.command?.cartID ?? (entered || undefined);
  const base = layoutContext(layout, { page: 'drive', selectedID, commands });
  const carts = layout.carts.map((cart) => cartRow(cart, runningOf(cart, commands)));
  const last = shownCommand(commands, base.safety.cartID);
  return {
    ...base,
    form: commandForm(input, layout.carts, base.safety.cartID),
    carts,
    now: carts.filter(({ cartID }) => cartID === base.safety.cartID),
    commands: commands.map((command) => commandRow(command)),
    hasCommands: commands.length > 0,
    last: last ? [commandRow(last.command, true, last.waiting)] : [],
    camera: cameraText(layout.links.camera),
    presets: presets(),
    speeds: SPEEDS.map((percent) => ({ percent, checked: percent === 50 })),
    markerView: layout.hasMarkers ? { standoff: decimal(STANDOFF_M, 2) } : null,
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
