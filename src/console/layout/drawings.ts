import type { Request } from 'express';
import { inLanguageOf } from '../../http/language.js';
import { Drawings, type Page } from '../../http/pages.js';
import type { LayoutData } from './layout-context.js';
import type { Pages } from './pages.js';

/** Adds a page that is rendered with a template in the request's language. */
export type AddPage = <Data>(
  page: Page<Data>,
  template: string,
  context: (layout: LayoutData, data: Data, req: Request) => object,
) => void;

/** Returns an empty set of renderers, and the function that adds pages to it. */
export function templateDrawings(
  pages: Pick<Pages, 'render'>,
  layout: (req: Request) => LayoutData,
): { drawings: Drawings; add: AddPage } {
  const drawings = new Drawings();
  const add: AddPage = (page, template, context) =>
    drawings.add(page, (req, data) =>
      inLanguageOf(req, () => pages.render(template, context(layout(req), data, req))),
    );
  return { drawings, add };
}
