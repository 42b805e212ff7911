import { startLayout } from './start.js';

// The script of pages with no live data outside the layout.
startLayout();
