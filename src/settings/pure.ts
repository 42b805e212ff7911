// For page scripts, the detector worker and the simulator: code that needs neither Node nor packages.

export { settingsMessage } from './messages.js';
export { listFrom } from './schema/list-text.js';
export { foundText, isFound, searchText, wordsOf } from './schema/search.js';
