import { declareMessages } from '../../shared/messages/message.js';

export const faultMessage = declareMessages('fault', {
  undervolt: 'battery voltage too low',
  overcurrent: 'motor current too high',
  overcurrentM1: 'motor 1 current too high',
  overcurrentM2: 'motor 2 current too high',
  overtempM1: 'motor 1 too hot',
  overtempM2: 'motor 2 too hot',
  overtempBoard: 'controller board too hot',
  overtempBoard2: 'controller board too hot (second sensor)',
  warmBoard: 'controller board nearly too hot',
  warmBoard2: 'controller board nearly too hot (second sensor)',
  encoder: 'encoder fault',
  stall: 'wheels blocked',
  watchdogReset: 'controller restarted by its watchdog',
  brownout: 'controller restarted after a voltage drop',
  linkLost: 'controller lost its connection to the gateway',
  crcBurst: 'many corrupt messages on the serial line',
  estopInput: 'the E-stop input was opened',
  obstacle: 'obstacle in the protective field',
  sensorSilent: 'a distance sensor does not respond',
  mainVoltageHigh: 'battery voltage too high',
  logicVoltageHigh: 'logic voltage too high',
  logicVoltageLow: 'logic voltage too low',
  driverFaultM1: 'driver fault on motor 1',
  driverFaultM2: 'driver fault on motor 2',
  speedErrorM1: 'motor 1 is not reaching its commanded speed',
  speedErrorM2: 'motor 2 is not reaching its commanded speed',
  positionErrorM1: 'motor 1 is not reaching its commanded position',
  positionErrorM2: 'motor 2 is not reaching its commanded position',
  currentErrorM1: 'motor current error on motor 1',
  currentErrorM2: 'motor current error on motor 2',
});

export const labelMessage = declareMessages('label', {
  'stopped-by': 'emergency stop by {by}',
  stopped: 'the emergency stop is active',
});
