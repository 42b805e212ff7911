import { find } from './dom.js';
import { armSettings } from './settings-form.js';
import { startFrame } from './start.js';

startFrame();
const form = find<HTMLFormElement>('[data-settings]');
if (form) armSettings(form);
