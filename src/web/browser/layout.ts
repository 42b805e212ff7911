import { startLayout } from './start.js';

// For pages whose only live data is in the layout.
startLayout();
