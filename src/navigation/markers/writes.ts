import type { WriteDatabase, WriteOperations } from '../../shared/ports/database.js';

/** `exists`, `missing`, `changed`: the condition was not met, and nothing was changed. */
export type SaveOutcome = 'created' | 'saved' | 'exists' | 'missing' | 'changed';

export interface SaveRequest {
  id: number;
  json: string;
  /** `new`: the ID must be unused. A string: the stored JSON that the change is based on. */
  condition: 'new' | 'any' | { json: string };
}

export interface RemoveMarkerRequest {
  id: number;
  condition: 'any' | { json: string };
}

const FIND = 'SELECT json FROM markers WHERE id = @id';
const PUT = 'INSERT OR REPLACE INTO markers (id, json) VALUES (@id, @json)';
const REMOVE = 'DELETE FROM markers WHERE id = @id';

/** Saving an identical marker again succeeds. */
function save(db: WriteDatabase, { id, json, condition }: SaveRequest): SaveOutcome {
  const stored = db.prepare<{ json: string }>(FIND).get({ id })?.json;
  if (condition === 'new' && stored !== undefined && stored !== json) return 'exists';
  if (typeof condition === 'object' && stored !== condition.json) return 'changed';
  db.prepare(PUT).run({ id, json });
  return stored === undefined ? 'created' : 'saved';
}

function remove(db: WriteDatabase, { id, condition }: RemoveMarkerRequest): SaveOutcome {
  const stored = db.prepare<{ json: string }>(FIND).get({ id })?.json;
  if (stored === undefined) return 'missing';
  if (typeof condition === 'object' && stored !== condition.json) return 'changed';
  db.prepare(REMOVE).run({ id });
  return 'saved';
}

export const markerWrites = {
  'markers.save': save,
  'markers.remove': remove,
} satisfies WriteOperations;
