import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mustache from 'mustache';
import { type Language, language } from '../../i18n/language.js';
import { t } from '../../i18n/page.js';
import { translateTemplate } from '../../i18n/template.js';

interface PagesOptions {
  /** Folder of `*.html` (pages) and `partials/*.html`. */
  viewsDir: string;
  /** Addresses of stylesheets and scripts, by the name that the templates use: `Assets.urls`. */
  assetUrls?: Readonly<Record<string, string>>;
}

type Templates = ReadonlyMap<string, string>;

/**
 * The mustache templates, all read at the start. Each is translated and parsed when it is first shown, a few ms: together
 * they would be a tenth of the start, and a fault in one of them need not keep a cart from being driven.
 */
export class Pages {
  readonly #writer = new mustache.Writer();
  readonly #pages: Templates;
  readonly #partials: Templates;
  readonly #translated: Readonly<Record<Language, Map<string, string>>> = { en: new Map(), nl: new Map() };
  readonly #assets: Readonly<Record<string, string>>;

  constructor({ viewsDir, assetUrls = {} }: PagesOptions) {
    this.#pages = readTemplates(viewsDir);
    this.#partials = readTemplates(join(viewsDir, 'partials'));
    this.#assets = assetUrls;
  }

  /** The HTML of `<name>.html`, in the language that is spoken. Every value is escaped; `context` comes from `context.ts`. */
  render(name: string, context: object): string {
    const template = this.#pages.get(name);
    if (template === undefined) throw new Error(`there is no page ${name}`);
    const partial = (wanted: string): string => this.#translate(this.#partials.get(wanted) ?? '');
    return this.#writer.render(this.#translate(template), { ...context, assets: this.#assets }, partial);
  }

  #translate(template: string): string {
    const known = this.#translated[language()];
    const translated = known.get(template) ?? translateTemplate(template, t);
    known.set(template, translated);
    return translated;
  }
}

function readTemplates(folder: string): Templates {
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
  return new Map(
    names.map((name) => [name.slice(0, -'.html'.length), readFileSync(join(folder, name), 'utf8')]),
  );
}
