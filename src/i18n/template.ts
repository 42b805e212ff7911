import type { Translate } from './language.js';

/** A tag of HTML, or one of mustache that shows no value: what lies between two of them is one text. */
const TAG = /(<[^>]*>|\{\{[#^/>][^}]*\}\})/;
/** Attributes that are read out or shown. */
const SPOKEN = /\b(aria-label|alt|title|placeholder)="([^"]*)"/g;
/** What stands in these is meant for machines. */
const CODE = /^<(?:code|option)\b/;
const VALUE = /\{\{[^}]*\}\}/g;

/** A mustache template with every text in it translated: `{{name}}` stays where the translation puts it. */
export function translateTemplate(template: string, translate: Translate): string {
  return template
    .split(TAG)
    .map((part, at, parts) => {
      const isTag = at % 2 === 1;
      if (!isTag) return CODE.test(parts[at - 1] ?? '') ? part : translateText(part, translate);
      return part.replace(SPOKEN, (_all, name: string, text: string) => {
        return `${name}="${translateText(text, translate)}"`;
      });
    })
    .join('');
}

/** Every text of a template, as its translation is asked for. */
export function textsOf(template: string): string[] {
  const texts: string[] = [];
  translateTemplate(template, (text) => {
    texts.push(String(text));
    return String(text);
  });
  return texts;
}

/** Spaces around a text are the template's; what holds no letter of its own needs no translation. */
function translateText(text: string, translate: Translate): string {
  const inner = text.trim();
  return /\p{L}/u.test(inner.replace(VALUE, '')) ? text.replace(inner, () => translate(inner)) : text;
}
