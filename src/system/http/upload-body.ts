import * as t from '../../http/openapi/schema-helpers.js';

const PART_KIB = 4096;

/** The body of `PUT /backups/upload`: a part of the file, so that slow connections meet the time limit. */
export const UPLOAD_BODY = t.body(
  ['application/octet-stream', 'application/vnd.sqlite3'],
  {},
  undefined,
  PART_KIB,
);
