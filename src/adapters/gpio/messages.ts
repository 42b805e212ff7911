import { catalogue } from '../../shared/messages/message.js';

/** The messages of this module. */
export const gpioMessage = catalogue('gpio', {
  'pin-unusable': 'GPIO {bcm} ({name}, number {number}) is unusable: {reason}',
  'no-pulse': 'gpioset version 1 cannot pulse the motor enable',
  'no-tool': 'this kernel has no /sys/class/gpio, and {tool} is not installed',
  'no-chips': 'none',
  'pi-label': 'the label of a Raspberry Pi',
  taken: 'in use by another driver',
  'no-such-pin': 'the kernel does not know this pin',
  'not-permitted': 'permission denied',
  'wrong-direction': 'the output cannot be driven to {direction}',
  'direction-fixed': 'direction is "{direction}" and cannot be changed to "{wanted}"',
  'no-chip-begins-at': 'no GPIO chip has base {base}; available: {chips}',
  'no-chip-has': 'no GPIO chip has {what}; available: {chips}',
  'several-chips': 'several GPIO chips match: {chips}',
});
