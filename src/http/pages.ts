import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mustache from 'mustache';

export interface PagesOptions {
  /** Folder of `*.html` (pages) and `partials/*.html`. */
  viewsDir: string;
  /** Addresses of stylesheets and scripts, by the name that the templates use: `Assets.urls`. */
  assetUrls?: Readonly<Record<string, string>>;
}

/** The mustache templates, read and parsed once: a fault in one of them shows at start, not at the first visitor. */
export class Pages {
  readonly #writer = new mustache.Writer();
  readonly #pages: ReadonlyMap<string, string>;
  readonly #partials: Readonly<Record<string, string>>;
  readonly #assets: Readonly<Record<string, string>>;

  constructor({ viewsDir, assetUrls = {} }: PagesOptions) {
    this.#pages = readTemplates(viewsDir);
    const partials = readTemplates(join(viewsDir, 'partials'));
    this.#partials = Object.fromEntries(partials);
    this.#assets = assetUrls;
    for (const text of [...this.#pages.values(), ...partials.values()]) this.#writer.parse(text);
  }

  /** The HTML of `<name>.html`. Every value is escaped; `context` comes from `context.ts`. */
  render(name: string, context: object): string {
    const template = this.#pages.get(name);
    if (template === undefined) throw new Error(`there is no page ${name}`);
    return this.#writer.render(template, { ...context, assets: this.#assets }, this.#partials);
  }
}

function readTemplates(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
  return new Map(
    names.map((name) => [name.slice(0, -'.html'.length), readFileSync(join(folder, name), 'utf8')]),
  );
}
