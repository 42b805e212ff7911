import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mustache from 'mustache';
import { type Language, language, speaking } from '../language/language.js';
import { t } from '../language/page.js';
import { translateTemplate } from '../language/template.js';

export interface PagesOptions {
  /** Folder of `*.html` (pages) and `partials/*.html`. */
  viewsDir: string;
  /** Addresses of stylesheets and scripts, by the name that the templates use: `Assets.urls`. */
  assetUrls?: Readonly<Record<string, string>>;
}

type Templates = Readonly<Record<string, string>>;

/**
 * The mustache templates, read and translated once. A fault in one of them shows at start, not at the first visitor.
 */
export class Pages {
  readonly #writer = new mustache.Writer();
  readonly #templates: Readonly<Record<Language, { pages: Templates; partials: Templates }>>;
  readonly #assets: Readonly<Record<string, string>>;

  constructor({ viewsDir, assetUrls = {} }: PagesOptions) {
    const pages = readTemplates(viewsDir);
    const partials = readTemplates(join(viewsDir, 'partials'));
    const inLanguage = (wanted: Language) => ({
      pages: this.#prepare(pages, wanted),
      partials: this.#prepare(partials, wanted),
    });
    this.#templates = { en: inLanguage('en'), nl: inLanguage('nl') };
    this.#assets = assetUrls;
  }

  #prepare(templates: ReadonlyMap<string, string>, wanted: Language): Templates {
    const prepared = [...templates].map(([name, text]) => {
      const translated = speaking(wanted, () => translateTemplate(text, t));
      this.#writer.parse(translated);
      return [name, translated];
    });
    return Object.fromEntries(prepared);
  }

  /** The HTML of `<name>.html`, in the language that is spoken. Every value is escaped; `context` comes from `context.ts`. */
  render(name: string, context: object): string {
    const { pages, partials } = this.#templates[language()];
    const template = pages[name];
    if (template === undefined) throw new Error(`there is no page ${name}`);
    return this.#writer.render(template, { ...context, assets: this.#assets }, partials);
  }
}

function readTemplates(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
  return new Map(
    names.map((name) => [name.slice(0, -'.html'.length), readFileSync(join(folder, name), 'utf8')]),
  );
}
