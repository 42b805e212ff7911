import { join } from 'node:path';
import { readTemplates } from '../../src/console/layout/pages.js';
import { packageRoot } from '../../src/shared/package-root.js';

export const TEMPLATES = readTemplates(join(packageRoot(), 'views'));

export function partialsIn(template: string): string[] {
  return [...template.matchAll(/\{\{>\s*([^\s}]+)\s*\}\}/g)].map(([, name = '']) => name);
}

/** Returns the names of the templates that render pages, which are those that no other template includes. */
export function pageNames(): string[] {
  const included = new Set([...TEMPLATES.values()].flatMap(partialsIn));
  return [...TEMPLATES.keys()].filter((name) => !included.has(name));
}
