import type { CommandView } from '../../carts/index.js';
import {
  ageText,
  dayText,
  metres,
  type Severity,
  shownCount,
  timeOfDay,
  upperFirst,
} from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { actorLabel, begun } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { settingsSchema } from '../../settings/index.js';
import { actorText, UNKNOWN_ACTOR } from '../../shared/actor.js';
import type { Change, FoundEntry, Outcome, SafetyEntry } from '../../system/index.js';
import type { SoftwareFacts } from '../../updates/index.js';
import { commandRow, isTurn, wentText } from '../labels/command-rows.js';
import { safetyEventText } from '../labels/history-labels.js';
import { commandEndText, commandStateText, commandText, wasStopped } from '../labels/labels.js';
import { changeRows } from '../settings/change-rows.js';

export interface HistoryRow {
  id: number;
  iso: string;
  time: string;
  cart: string;
  /** Empty if no person caused the event. */
  person: string;
  what: string;
  /** The reason for an unfinished command or a protective stop; otherwise, empty. */
  why: string;
  /** The distance of an interrupted command or a manual drive, for example `0.25 m driven` or `turned 90° left`; otherwise, empty. */
  driven: string;
  tone: Severity | 'unknown';
  outcome: string;
  /** Time from a command's acceptance to its end; empty for running commands and safety events. */
  duration: string;
}

export interface HistoryDetails extends HistoryRow {
  day: string;
  facts: { name: string; value: string }[];
  /** A command's states, with the time of day and the time since acceptance. */
  steps: { label: string; time: string; since: string }[];
}

const MAX_NAMED = 3;

type CartName = (cartID: number) => string;

const EVENT_OUTCOMES: readonly Outcome[] = ['estop', 'protective', 'reset', 'confirmed', 'backup', 'change'];

const TONES: Readonly<Record<Outcome, HistoryRow['tone']>> = {
  estop: 'stop',
  protective: 'warn',
  failed: 'stop',
  cancelled: 'warn',
  finished: 'quiet',
  running: 'live',
  reset: 'quiet',
  confirmed: 'quiet',
  backup: 'quiet',
  change: 'quiet',
};

export const outcomeTexts = (): Record<Outcome | 'stops', string> => ({
  stops: t('Stops and failures'),
  estop: t('Stop all or E-stop'),
  protective: t('Protective stop'),
  failed: t('Failed'),
  cancelled: t('Cancelled'),
  finished: t('Finished'),
  running: t('Running'),
  reset: t('Reset'),
  confirmed: t('Confirmed'),
  backup: t('Backup'),
  change: t('Change'),
});

export function historyRow(entry: FoundEntry, cartName: CartName): HistoryRow {
  const { id, at, outcome, person, actor } = entry;
  const command = commandIn(entry);
  return {
    id,
    iso: new Date(at).toISOString(),
    time: timeOfDay(at),
    cart: cartsText(entry, cartName),
    person: person === '' ? '' : actorLabel(actor),
    what: command ? upperFirst(commandText(command)) : eventText(entry),
    why: command ? begun(command.reason?.text ?? '') : eventReason(entry),
    driven: command ? drivenText(command) : '',
    tone: command && wasStopped(command) ? 'warn' : TONES[outcome],
    outcome: command ? upperFirst(commandEndText(command)) : outcomeTexts()[outcome],
    duration: command && outcome !== 'running' ? ageText(command.timeline.at(-1)?.ms ?? 0) : '',
  };
}

function drivenText({ reason, result, kind }: CommandView): string {
  const isUnknown = kind === 'jog' || reason !== undefined;
  if (!isUnknown || !result || kind === 'stop') return '';
  return isTurn(result) ? t('turned {0}', wentText(result)) : t('{0} driven', wentText(result));
}

/** Names only a few carts, because a press may have stopped a thousand carts. */
function cartsText({ cartID, pressedCarts }: FoundEntry, cartName: CartName): string {
  if (pressedCarts.length < 2) return cartName(cartID);
  const shown = shownCount(pressedCarts.length, MAX_NAMED);
  const names = pressedCarts.slice(0, shown).map(cartName).join(', ');
  const others = pressedCarts.length - shown;
  return others > 0 ? t('{0} and {1} more', names, others) : names;
}

/** @param interrupted the commands that the entry's stop interrupted. */
export function historyDetails(
  entry: FoundEntry,
  cartName: CartName,
  interrupted: readonly FoundEntry[],
): HistoryDetails {
  const command = commandIn(entry);
  const row = historyRow(entry, cartName);
  return {
    ...row,
    day: dayText(entry.at),
    facts: [
      { name: t('Cart'), value: row.cart },
      { name: t('Person'), value: command ? commandRow(command).by : row.person },
      ...(command ? commandFacts(command) : eventFacts(entry)),
      ...interrupted.map((stopped) => interruptedFact(stopped, cartName)),
    ].filter(({ value }) => value !== ''),
    steps: (command?.timeline ?? []).map(({ state, ms }, at, all) => ({
      label: upperFirst(at === all.length - 1 && command ? commandEndText(command) : commandStateText(state)),
      time: timeOfDay(entry.at + ms),
      since: `+${ms < 1000 ? `${Math.round(ms)} ms` : ageText(ms)}`,
    })),
  };
}

function commandFacts({ kind, reason, result, maxSpeed, origin, commandId }: CommandView) {
  return [
    { name: t('Reason'), value: reason ? begun(reason.text) : '' },
    {
      name: result && isTurn(result) ? t('Angle turned') : t('Distance driven'),
      value: result && kind !== 'stop' ? wentText(result) : '',
    },
    { name: t('Maximum speed'), value: kind === 'move' && maxSpeed > 0 ? `${metres(maxSpeed)}/s` : '' },
    { name: t('Source'), value: sourceTexts()[origin.source] ?? '' },
    { name: t('Command ID'), value: commandId },
  ];
}

const sourceTexts = (): Readonly<Record<string, string>> => ({
  http: t('Page or API'),
  socket: t('Manual drive'),
  mqtt: t('MQTT'),
});

function eventFacts(entry: FoundEntry) {
  const { by, repeats } = eventIn(entry);
  return [
    ...changedValues(entry).map((value) => ({ name: t('Changed value'), value })),
    { name: t('SHA-256'), value: sha256In(entry) },
    { name: t('Cause'), value: entry.person === '' ? upperFirst(actorLabel(by)) : '' },
    { name: t('First time'), value: repeats ? timeOfDay(repeats.firstAt) : '' },
    { name: t('Last time'), value: repeats ? timeOfDay(repeats.lastAt) : '' },
  ];
}

/** Returns a fact such as `Cart 2: 1.00 m forward by anna; 0.25 m driven`. */
function interruptedFact(entry: FoundEntry, cartName: CartName): { name: string; value: string } {
  const { cart, what, person, driven } = historyRow(entry, cartName);
  const text = person === '' ? what : t('{0} by {1}', what, person);
  return { name: t('Interrupted command'), value: `${cart}: ${driven === '' ? text : `${text}; ${driven}`}` };
}

/** Omits the reason for a protective stop, because `why` contains it. */
function eventText(entry: FoundEntry): string {
  const event = eventIn(entry);
  return safetyEventText(entry.outcome === 'protective' ? { ...event, by: UNKNOWN_ACTOR } : event);
}

function eventReason(entry: FoundEntry): string {
  const { outcome, actor } = entry;
  if (outcome === 'change') return changedValues(entry).join('; ');
  return outcome === 'protective' ? begun(actorText(actor)) : '';
}

/** Returns texts such as `Maximum speed: 0.30 m/s → 0.50 m/s` or `Zone Stairs added`. */
function changedValues(entry: FoundEntry): string[] {
  const values = changeIn(entry)?.values ?? [];
  if (entry.kind === 'site.overridden') return [];
  if (entry.kind === 'site.frame_changed') {
    return values.map(({ from, to }) => `${frameText(from)} → ${frameText(to)}`);
  }
  if (entry.kind === 'site.changed') return [...new Set(values.map(siteChangeText))];
  const changes = values.map(({ path, from, to }) => ({ pointer: path, keys: keysOf(path), from, to }));
  return changeRows(settingsSchema, changes).map(
    ({ section, label, from, to }) => `${label || section}: ${from} → ${to}`,
  );
}

/** Returns a text such as `2500, 1200 mm, 90°` or, for a floor plan, `h3Yk0aXe, 24.50 mm/px`. */
function frameText(value: unknown): string {
  const { xMm, yMm, headingDeg, version, metresPerPixel } = (value ?? {}) as Readonly<
    Partial<Record<'xMm' | 'yMm' | 'headingDeg' | 'metresPerPixel', number>> & { version?: string }
  >;
  if (xMm !== undefined && yMm !== undefined)
    return `${Math.round(xMm)}, ${Math.round(yMm)} mm, ${Math.round(headingDeg ?? 0)}°`;
  if (version === undefined) return '–';
  const scale = metresPerPixel === undefined ? '' : `, ${decimal(metresPerPixel * 1000, 2)} mm/px`;
  return `${version.slice(0, 8)}${scale}`;
}

/** A change of `/lost` or of the floor plan's hash or scale means that a person confirmed the zones on another floor plan. */
function siteChangeText({ path, from, to }: NonNullable<Change['values']>[number]): string {
  const [list, id = ''] = keysOf(path);
  if (list === 'lost') return t('Confirmed after a loss of data');
  if (list !== 'zones' && list !== 'places') return t('Confirmed on a changed floor plan');
  const { name = id } = (to ?? from) as { name?: string };
  if (list === 'zones') {
    if (from === undefined) return t('Zone {0} added', name);
    return to === undefined ? t('Zone {0} deleted', name) : t('Zone {0} changed', name);
  }
  if (from === undefined) return t('Place {0} added', name);
  return to === undefined ? t('Place {0} deleted', name) : t('Place {0} changed', name);
}

/** Splits a JSON pointer. */
function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns what an entry with the outcome `change` changed. */
function changeIn({ view }: FoundEntry): Change | undefined {
  return (view as { change?: Change }).change;
}

/** The SHA-256 of what was changed or installed; empty if there is none. */
export function sha256In(entry: FoundEntry): string {
  const { software } = entry.view as { software?: SoftwareFacts };
  return changeIn(entry)?.sha256 ?? software?.sha256 ?? '';
}

/** Returns undefined for safety events and for commands that another version stored in a different format. */
export function commandIn({ view, outcome, actor }: FoundEntry): CommandView | undefined {
  const isEvent = EVENT_OUTCOMES.includes(outcome);
  const command = view as Partial<CommandView>;
  if (isEvent || !Array.isArray(command.timeline) || !command.origin) return undefined;
  const principal = actorText(actor);
  return { ...(view as CommandView), origin: { ...command.origin, principal } };
}

function eventIn({
  kind,
  view,
  actor: by,
}: FoundEntry): Pick<SafetyEntry, 'kind' | 'by' | 'backup' | 'repeats' | 'change'> {
  return { ...(view as object), kind, by };
}
