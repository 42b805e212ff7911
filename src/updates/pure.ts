// Page scripts import this module only from here. No Node modules and no packages.

export type { UpdateProgress } from './progress.js';
