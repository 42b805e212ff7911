/** Bits of `HELLO_R.caps`. `simulated`: no metal behind the line, and the controller says so. */
export const CAPS = {
  closedLoopDistance: 1 << 0,
  heading: 1 << 1,
  odometry: 1 << 2,
  battery: 1 << 3,
  motorTemp: 1 << 4,
  estopInput: 1 << 5,
  brake: 1 << 6,
  simulated: 1 << 15,
} as const;

/** Bits of `STATUS.faults`. */
export const FAULTS = {
  undervolt: 1 << 0,
  overcurrent: 1 << 1,
  overtempM1: 1 << 2,
  overtempM2: 1 << 3,
  overtempBoard: 1 << 4,
  encoder: 1 << 5,
  stall: 1 << 6,
  watchdogReset: 1 << 7,
  brownout: 1 << 8,
  linkLost: 1 << 9,
  crcBurst: 1 << 10,
} as const;

type FaultName = keyof typeof FAULTS;

/** The names of the bits set in `STATUS.faults`, lowest first; undefined bits are passed over. */
export function faultNames(faults: number): FaultName[] {
  return (Object.keys(FAULTS) as FaultName[]).filter((name) => faults & FAULTS[name]);
}
