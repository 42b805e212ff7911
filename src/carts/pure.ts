// Code that requires neither Node nor packages, for page scripts, the detector worker and the simulator.

export { cartLabel, cartLabels } from './cart-labels.js';
export {
  type CartMove,
  type CartPose,
  type CartPosition,
  type CartSitePlan,
  type CartView,
  type CommandResult,
  type CommandState,
  type CommandView,
  type LinkView,
  POSITION_KEPT_MS,
  type StoppedCart,
} from './command/model.js';
export { HARD } from './command/request-schema.js';
export { presetsSchema, unitsSchema } from './command/settings-schema.js';
export type { DuplicateCart } from './control/contracts.js';
export { limitsSchema } from './control/settings-schema.js';
export type {
  BeatEvent,
  BrokerView,
  CartEvent,
  CommandEvent,
  FirmwareEvent,
  FirmwareProgress,
  LinksEvent,
  LinksView,
  MovesEvent,
  PositionEvent,
  SitePlanEvent,
  SitePlanState,
  SnapshotEvent,
  TrialEndNote,
  TrialEvent,
  TrialNote,
  UnitsFingerprintEvent,
  ZoneOverride,
  ZoneOverrideEvent,
} from './control/sse-events.js';
export { faultTexts } from './faults/fault-names.js';
export { type FleetList, type FleetRow, type FleetState, worstFirst } from './fleet/fleet-rows.js';
export { cartListSchema, gatewaySchema, simulationSchema } from './fleet/settings-schema.js';
export { stoppingMm } from './manual-drive/contact-loss.js';
export type {
  DriveMessage,
  DriveState,
  HolderView,
  LetGo,
  ManualLimits,
} from './manual-drive/drive-messages.js';
export { fieldArcs } from './protective-field/arcs.js';
export type { FieldView } from './protective-field/model.js';
export { nearestObstacle, obstacleText, sideOf } from './protective-field/obstacle.js';
export { protectiveFieldSchema } from './protective-field/settings-schema.js';
export { gpioSchema, safetySchema } from './safety/settings-schema.js';
export { BLOCKED, BUMPERS, CAPS, Deframer, encodeFrame, FAULTS } from './serial/codec/codec.js';
export { crc16Xmodem } from './serial/codec/crc.js';
export { END_CODES, RESET_CAUSES } from './serial/codec/event-reasons.js';
export {
  countsFor,
  stopDistanceMm,
  TRAVEL_DIRECTIONS,
  travelDirection,
  turningMmps,
} from './serial/codec/field-rules.js';
export { frameOfLine, jsonLineOf } from './serial/codec/json-frames.js';
export { encodeLine, LineReader } from './serial/codec/json-lines.js';
export { kinematicsSchema, serialSchema } from './serial/settings-schema.js';
