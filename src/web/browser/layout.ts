import { startLayout } from './start.js';

// The script for pages that have no live data outside the layout.
startLayout();
