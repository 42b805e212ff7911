// For page scripts, the detector worker and the simulator: code that needs neither Node nor packages.

export type { TrendColumns, TrendSample } from './trends/columns.js';
