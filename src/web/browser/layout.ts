import { startLayout } from './start.js';

// For pages that have nothing live but their frame.
startLayout();
