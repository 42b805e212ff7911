import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mustache from 'mustache';
import { type Language, language } from '../../i18n/language.js';
import { t } from '../../i18n/page-text.js';
import { translateTemplate } from '../../i18n/template.js';

interface PagesOptions {
  /** Folder of the templates: `carts/index.html` is `carts/index`, as a page and in `{{> carts/index}}`. */
  viewsDir: string;
  /** Addresses of stylesheets and scripts, by the name that the templates use: `Assets.urls`. */
  assetUrls?: Readonly<Record<string, string>>;
}

/**
 * The mustache templates, all read at the start. Each is translated and parsed when it is first shown, a few ms: together
 * they would be a tenth of the start, and a fault in one of them need not keep a cart from being driven.
 */
export class Pages {
  readonly #writer = new mustache.Writer();
  readonly #templates: ReadonlyMap<string, string>;
  readonly #byLanguage: Readonly<Record<Language, Map<string, string>>> = { en: new Map(), nl: new Map() };
  readonly #assets: Readonly<Record<string, string>>;

  constructor({ viewsDir, assetUrls = {} }: PagesOptions) {
    this.#templates = readTemplates(viewsDir);
    this.#assets = assetUrls;
  }

  /** The HTML of `<name>.html`, in the language that is spoken. Every value is escaped; `context` comes from `context.ts`. */
  render(name: string, context: object): string {
    const translated = (wanted: string): string => this.#translated(wanted);
    return this.#writer.render(translated(name), { ...context, assets: this.#assets }, translated);
  }

  #translated(name: string): string {
    const template = this.#templates.get(name);
    if (template === undefined) throw new Error(`there is no template ${name}`);
    const known = this.#byLanguage[language()];
    const translated = known.get(name) ?? translateTemplate(template, t);
    known.set(name, translated);
    return translated;
  }
}

/** Every `*.html` in a folder and below it, by its path without the ending. */
export function readTemplates(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  return new Map(
    names.map((name) => [name.slice(0, -'.html'.length), readFileSync(join(folder, name), 'utf8')]),
  );
}
