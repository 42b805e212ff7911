import type { WriteOperations } from '../shared/ports/database.js';
import { keyWrites } from './api-keys/writes.js';
import { secondFactorWrites } from './second-factor/writes.js';
import { sessionWrites } from './sessions/writes.js';
import { userWrites } from './users/writes.js';

export const accessWrites = {
  ...userWrites,
  ...sessionWrites,
  ...keyWrites,
  ...secondFactorWrites,
} satisfies WriteOperations;
