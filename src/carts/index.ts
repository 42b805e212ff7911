// Other folders import this module only through this file.

export { ActiveDrivers } from './command/active-drivers.js';
export { checkAuthority } from './command/authority.js';
export { Command } from './command/command.js';
export { CommandTimes } from './command/command-times.js';
export { holderOf } from './command/control-lease.js';
export { CommandDispatcher } from './command/dispatcher.js';
export type {
  Authority,
  EmergencyStop,
  Order,
  Origin,
  Reason,
  SafetyView,
  StopOrigin,
  Telemetry,
} from './command/model.js';
export { unitsFingerprint } from './command/parser.js';
export { CommandRegistry, KEEP_COUNT, LISTED_COUNT } from './command/registry.js';
export { commandRecorder } from './command/restore.js';
export {
  DEG_PER_UNIT,
  MM_PER_UNIT,
  type PresetsSettings,
  type UnitsSettings,
} from './command/settings-schema.js';
export { assumedDecelMmps2, type BrakeTest, brakingMmps2 } from './commissioning/brake-test.js';
export {
  Commissioning,
  type CommissioningStep,
  type Results,
  STEPS,
  type StepResult,
} from './commissioning/commissioning.js';
export { extentOf, FOOTPRINT_FIELDS } from './commissioning/footprint.js';
export { Cart } from './control/cart.js';
export type {
  CartName,
  CommandGateway,
  GatedMotion,
  GateVerdict,
  MotionGate,
  RemoteCarts,
  StopKind,
} from './control/contracts.js';
export type { SafetyEvent } from './control/estop-control.js';
export { type SpeedLimits, UNLIMITED } from './control/live-limits.js';
export { plannedMs } from './control/motion-duration.js';
export type { LimitsSettings } from './control/settings-schema.js';
export type { Overview } from './control/sse-events.js';
export { FirmwareUpdate, type FirmwareView, type WrittenFirmware } from './firmware/firmware-update.js';
export { ReleaseFirmware } from './firmware/release.js';
export { PHASES } from './firmware/update-machine.js';
export { UpdateRecord } from './firmware/update-record.js';
export { BeaconReports, sightingsMessageSchema } from './fleet/beacon-reports.js';
export { FLEET_STATES, fleetCounts, fleetState } from './fleet/fleet-rows.js';
export { RemoteCartRegistry } from './fleet/remote-carts.js';
export { watchRemoteSafety } from './fleet/remote-safety.js';
export { commandRoutes } from './http/command-routes.js';
export { commissioningRoutes } from './http/commissioning-routes.js';
export { DriveSocket } from './http/drive-socket.js';
export { EventFeed } from './http/events.js';
export { firmwareApi } from './http/firmware-openapi.js';
export { firmwareRoutes } from './http/firmware-routes.js';
export { fleetRoutes } from './http/fleet-routes.js';
export { commandApi, commissioningApi, eventsApi, simulatorApi } from './http/openapi.js';
export {
  type CommandOutcome,
  type CommissioningPage,
  commissioningPage,
  type DrivePage,
  drivePage,
  firmwarePage,
  fleetPage,
} from './http/pages.js';
export { type SimulatorControls, simulatorRoutes } from './http/simulator-routes.js';
export { stopFailureTitle } from './http/stop-answers.js';
export type { DriverView } from './manual-drive/drive-messages.js';
export type { HeldMotion } from './manual-drive/held-motion.js';
export { ManualDrive } from './manual-drive/manual-drive.js';
export { driveMessageSchemas } from './manual-drive/schema.js';
export { cartMessage } from './messages.js';
export { lastWill, MqttAgent } from './mqtt/agent.js';
export { NO_SITE_KEY } from './mqtt/heartbeat-watch.js';
export { announceToHomeAssistant } from './mqtt/home-assistant.js';
export { readMessage } from './mqtt/messages/read.js';
export {
  ackMessageSchema,
  commandMessageSchema,
  connectionMessageSchema,
  HEADER,
  header,
  heartbeatMessageSchema,
  instantActionsMessageSchema,
} from './mqtt/messages/schema.js';
export { stateMessageSchema, visualizationMessageSchema } from './mqtt/messages/state-schema.js';
export { Headers, type TopicIdentity, type TopicName, Topics } from './mqtt/messages/topics.js';
export * from './pure.js';
export { type LatchStore, latchFile, memoryLatch } from './safety/latch-store.js';
export { safetyMessage } from './safety/messages.js';
export { type Refusal, refusalError, STOP_ONLY } from './safety/refusals.js';
export type {
  ControllerState,
  Frame,
  FrameBody,
  FrameHead,
  FrameOf,
  NackCode,
} from './serial/codec/codec.js';
export type { EndReason, ResetCause } from './serial/codec/event-reasons.js';
export type { TravelDirection } from './serial/codec/field-rules.js';
export { MAX_TURN_DEGPS } from './serial/driver.js';
export { capabilitiesOf } from './serial/drivers/capabilities.js';
export { createDriver } from './serial/drivers/create-driver.js';
export { ControllerLink } from './serial/link.js';
export type { KinematicsSettings, SerialSettings } from './serial/settings-schema.js';
