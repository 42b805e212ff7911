// For page scripts, the marker thread and the simulator: code that needs neither Node nor packages.

export type { TrendColumns, TrendSample } from './trends/columns.js';
