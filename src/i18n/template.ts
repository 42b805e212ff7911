type Translate = (english: string) => string;

/** Separator between translatable strings: an HTML tag, or a mustache tag that outputs no value. */
const TAG = /(<[^>]*>|\{\{[#^/>][^}]*\}\})/;
/** Attributes that browsers display or screen readers read aloud. */
const TEXT_ATTRIBUTES = /\b(aria-label|alt|title|placeholder)="([^"]*)"/g;
const CODE = /^<(?:code|option)\b/;
const VALUE = /\{\{[^}]*\}\}/g;

/** Translates the strings of a template. A translation can contain the `{{name}}` placeholders in any order. */
export function translateTemplate(template: string, translate: Translate): string {
  return template
    .split(TAG)
    .map((part, at, parts) => {
      const isTag = at % 2 === 1;
      if (!isTag) return CODE.test(parts[at - 1] ?? '') ? part : translateText(part, translate);
      return part.replace(TEXT_ATTRIBUTES, (_all, name: string, text: string) => {
        return `${name}="${translateText(text, translate)}"`;
      });
    })
    .join('');
}

/** Returns a template's strings as `translateTemplate` looks them up. */
export function textsOf(template: string): string[] {
  const texts: string[] = [];
  translateTemplate(template, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Does not translate surrounding spaces, or a string without letters. */
function translateText(text: string, translate: Translate): string {
  const inner = text.trim();
  return /\p{L}/u.test(inner.replace(VALUE, '')) ? text.replace(inner, () => translate(inner)) : text;
}
