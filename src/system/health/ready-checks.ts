type CheckOutcome = 'passed' | 'failed' | 'off';

/**
 * The parts that must still work after an update if they worked before. `off`: the gateway does not use the part or
 * cannot check it.
 */
export interface ReadyChecks {
  store: CheckOutcome;
  settings: CheckOutcome;
  controller: CheckOutcome;
  /** `passed` if the controller has acknowledged a stop in this connection. */
  stop: CheckOutcome;
  camera: CheckOutcome;
  broker: CheckOutcome;
  emergencyStop: CheckOutcome;
}
