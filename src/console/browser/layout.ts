import { startLayout } from './start.js';

// For pages that show live data only in the layout.
startLayout();
