import { startFrame } from './start.js';

// For pages that have nothing live but their frame.
startFrame();
