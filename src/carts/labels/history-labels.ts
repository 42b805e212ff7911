import { lowerFirst, upperFirst } from '../../i18n/format.js';
import { LANGUAGES, type Language, withLanguage } from '../../i18n/language.js';
import { principalName, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { Text } from '../../shared/messages/message.js';
import type { CommandView } from '../command/model.js';
import { commandStateText, commandText } from './labels.js';

interface Event {
  cartID: number;
  kind: string;
  by: Text;
}

/** For example `Protective stop: a motor is at 85 °C, above 80 °C`. */
export function safetyEventText({ kind, by }: Pick<Event, 'kind' | 'by'>): string {
  const who = principalName(by);
  switch (kind) {
    case 'protective_stop':
      return who === '' ? t`Protective stop` : t`Protective stop: ${lowerFirst(translated(by))}`;
    case 'estop.reset':
      return who === '' ? t`E-stop reset` : t`E-stop reset by ${who}`;
    default:
      return who === '' ? t`E-stop active` : t`E-stop triggered by ${who}`;
  }
}

/** Searchable text: what the pages show for a command, in all languages. */
export function commandWords(command: CommandView): string {
  return inAllLanguages(() =>
    [
      ...[t`Cart ${command.cartID}`, upperFirst(commandText(command)), commandStateText(command.state)],
      ...[principalName(command.origin.principal), translated(command.reason?.text ?? '')],
    ].join(' '),
  );
}

/** Searchable text: what the pages show for a safety event, in all languages. */
export function safetyWords(event: Event): string {
  return inAllLanguages(() => `${t`Cart ${event.cartID}`} ${safetyEventText(event)}`);
}

function inAllLanguages(work: () => string): string {
  return (Object.keys(LANGUAGES) as Language[]).map((language) => withLanguage(language, work)).join(' ');
}
