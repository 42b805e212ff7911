import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mustache from 'mustache';
import type { AssetUrls } from '../../http/server/assets.js';
import { type Language, language } from '../../i18n/language.js';
import { templateText } from '../../i18n/page-text.js';
import { translateTemplate } from '../../i18n/template.js';

interface PagesOptions {
  /** `drive/index.html` in this folder is the template `drive/index`. */
  viewsDir: string;
  /** Stylesheet and script URLs, from `Assets.urls`. */
  assetUrls?: Readonly<Record<Language, AssetUrls>>;
}

/**
 * Translates and parses Mustache templates on first use, which takes a few ms. Parsing all templates at
 * startup would take a tenth of the startup time, and an error in one template would prevent startup.
 */
export class Pages {
  readonly #writer = new mustache.Writer();
  readonly #templates: ReadonlyMap<string, string>;
  readonly #byLanguage: Readonly<Record<Language, Map<string, string>>> = { en: new Map(), nl: new Map() };
  readonly #assets: Readonly<Record<Language, AssetUrls>>;

  constructor({ viewsDir, assetUrls = { en: {}, nl: {} } }: PagesOptions) {
    this.#templates = readTemplates(viewsDir);
    this.#assets = assetUrls;
  }

  /** Renders `<name>.html` in the current language. All values are escaped. */
  render(name: string, context: object): string {
    const translated = (partial: string): string => this.#translated(partial);
    return this.#writer.render(
      translated(name),
      { ...context, assets: this.#assets[language()] },
      translated,
    );
  }

  #translated(name: string): string {
    const template = this.#templates.get(name);
    if (template === undefined) throw new Error(`template ${name} does not exist`);
    const cache = this.#byLanguage[language()];
    const translated = cache.get(name) ?? translateTemplate(template, templateText);
    cache.set(name, translated);
    return translated;
  }
}

/** Reads all `*.html` files. Keys are paths without the extension. */
export function readTemplates(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  return new Map(
    names.map((name) => [name.slice(0, -'.html'.length), readFileSync(join(folder, name), 'utf8')]),
  );
}
