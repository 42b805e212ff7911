import type { Application, Request, Response } from 'express';
import type { Text } from '../shared/messages/message.js';

/** The outcome of a form submission, shown above the page. */
export interface Notice {
  ok: boolean;
  title: Text;
  message?: Text;
  hint?: Text;
  /** True for a notice about changes on trial, which is removed when the trial ends. */
  isTrial?: true;
}

/** A page that a module can send. The module provides the data; the console renders the page. */
export interface Page<Data> {
  readonly name: string;
  /** Exists only in the type, so that pages with different data have different types. */
  readonly data?: (data: Data) => void;
}

export function declarePage<Data>(name: string): Page<Data> {
  return { name };
}

type Draw<Data> = (req: Request, data: Data) => string | Promise<string>;

/** The console registers a renderer for each page here. */
export class Drawings {
  readonly #draws = new Map<Page<never>, Draw<never>>();

  add<Data>(page: Page<Data>, draw: Draw<Data>): void {
    if (this.#draws.has(page)) throw new Error(`the page ${page.name} has two renderers`);
    this.#draws.set(page, draw);
  }

  draw<Data>(page: Page<Data>, req: Request, data: Data): string | Promise<string> {
    const draw = this.#draws.get(page) as Draw<Data> | undefined;
    if (!draw) throw new Error(`the page ${page.name} has no renderer`);
    return draw(req, data);
  }
}

const SETTING = 'drawings';

/** Must be called before the app sends a page. */
export function useDrawings(app: Application, drawings: Drawings): void {
  app.set(SETTING, drawings);
}

/** Responds with a page. Does not change a status that has already been set. */
export async function sendPage<Data>(
  req: Request,
  res: Response,
  page: Page<Data>,
  data: Data,
): Promise<void> {
  const drawings = res.app.get(SETTING) as Drawings;
  res.type('html').send(await drawings.draw(page, req, data));
}
