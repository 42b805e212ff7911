// For page scripts: code that needs neither Node nor packages.

export type { UpdateProgress } from './progress.js';
