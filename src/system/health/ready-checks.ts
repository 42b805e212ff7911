type CheckOutcome = 'passed' | 'failed' | 'off';

/** What must still work after an update if it worked before. `off`: the gateway does not use or cannot check it. */
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
