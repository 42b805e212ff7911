import type { WriteDatabase, WriteOperations } from '../../shared/ports/database.js';

export interface SavePlanRequest {
  /** The number of the new version. */
  version: number;
  planHash: string;
  mmPerPixel: number;
  /** JSON. */
  zones: string;
  places: string;
  routes: string;
  isShared: 0 | 1;
}

const PUT = `
  INSERT OR REPLACE INTO site_plan (id, version, plan_hash, mm_per_pixel, zones, places, routes, is_shared)
  VALUES (1, @version, @planHash, @mmPerPixel, @zones, @places, @routes, @isShared)`;

function save(db: WriteDatabase, request: SavePlanRequest): void {
  db.prepare(PUT).run({ ...request });
}

export const siteWrites = { 'site.save': save } satisfies WriteOperations;
