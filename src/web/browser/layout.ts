import { startLayout } from './start.js';

// This script is for pages that show live data only in the layout.
startLayout();
