import { catalogue } from '../../shared/messages/message.js';

/** The messages of this module. */
export const gpioMessage = catalogue('gpio', {
  'pin-unusable': 'GPIO {bcm} ({name}, number {number}) cannot be used: {reason}',
  'no-pulse': 'version 1 of gpioset holds a level, and cannot pulse the motor enable',
  'no-tool': 'this kernel has no /sys/class/gpio, and {tool} is not installed',
  'no-chips': 'none at all',
  'pi-label': 'the label of a Raspberry Pi',
  taken: 'another driver has it',
  'no-such-pin': 'the kernel knows no such pin',
  'not-permitted': 'the gateway may not use it',
  'wrong-direction': 'it does not go to {direction}',
  'direction-fixed': 'its direction is "{direction}" and cannot be changed to "{wanted}"',
  'no-chip-begins-at': 'no GPIO chip begins at {base}; there are: {chips}',
  'no-chip-has': 'no GPIO chip has {what}; there are: {chips}',
  'several-chips': 'several GPIO chips fit: {chips}',
});
