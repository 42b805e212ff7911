import { startLayout } from './start.js';

// Script for pages whose only live data is in the layout.
startLayout();
