import type { Request } from 'express';
import { queryOneOf } from './bodies.js';

/** Query parameter of CSV exports, for the OpenAPI description. */
export const CSV_FORMAT = {
  format: {
    type: 'string',
    enum: ['excel'],
    description:
      'Returns CSV with semicolons and decimal commas, for spreadsheet programs in languages with a decimal comma',
  },
} as const;

/** Returns true for `?format=excel`. Throws `INVALID_INPUT` if the format is unknown. */
export function isExcel(req: Request): boolean {
  return req.query.format !== undefined && queryOneOf(req, 'format', ['excel'], 'excel') === 'excel';
}
