import type { Command } from '../../command/command.js';
import type { CartView } from '../../command/model.js';
import { errorsOf, MAX_FAULTS, type StateError, short } from './state-errors.js';
import { actionStatus, visualizationBody } from './write.js';

/** Maximum size of the body, which leaves room for the header within the receiver's limit of 8 kB. */
const MAX_BODY_BYTES = 7 * 1024;

export interface ActionState {
  actionId: string;
  actionType: string;
  actionStatus: 'RUNNING' | 'FINISHED' | 'FAILED';
  resultDescription?: string;
}

export interface StateSource {
  view: CartView;
  commands: Command[];
  actions: ActionState[];
  refused: StateError[];
  clockSynced?: boolean | undefined;
  /** See `TopicIdentity`; 0 is omitted from the message. */
  generation?: number | undefined;
}

/** If the body is too long, the oldest rejections are dropped first, then the oldest finished commands. */
export function stateBody(source: StateSource): object {
  const refused = [...source.refused];
  const commands = [...source.commands];
  for (;;) {
    const body = fullBody({ ...source, refused, commands });
    if (Buffer.byteLength(JSON.stringify(body)) <= MAX_BODY_BYTES) return body;
    if (refused.shift()) continue;
    const ended = commands.findIndex(({ final }) => final);
    if (ended < 0) return body;
    commands.splice(ended, 1);
  }
}

function fullBody({ view, commands, actions, refused, clockSynced, generation }: StateSource): object {
  const { telemetry, safety } = view;
  const current = commands.find(({ id }) => id === view.commandId);
  return {
    orderId: view.commandId ?? '',
    orderUpdateId: 0,
    lastNodeId: '',
    lastNodeSequenceId: 0,
    nodeStates: [],
    edgeStates: [],
    driving: view.moving,
    paused: current?.state === 'PAUSED',
    operatingMode: 'AUTOMATIC',
    actionStates: commands.map((command) => ({
      actionId: command.id,
      actionType: command.order.kind,
      actionStatus: actionStatus(command.state),
      ...(command.reason ? { resultDescription: short(command.reason.text) } : {}),
    })),
    instantActionStates: actions,
    powerSupply: {
      ...(telemetry?.soc != null ? { stateOfCharge: telemetry.soc } : {}),
      ...(telemetry?.batteryMv != null ? { batteryVoltage: telemetry.batteryMv / 1000 } : {}),
      ...(telemetry?.batteryCa != null ? { batteryCurrent: telemetry.batteryCa / 100 } : {}),
      charging: false,
    },
    ...visualizationBody(view),
    safetyState: {
      activeEmergencyStop: safety.emergencyStop,
      fieldViolation: (view.field?.blocked.length ?? 0) > 0,
    },
    errors: [...errorsOf(view), ...refused],
    information: view.simulated
      ? [
          {
            infoType: 'SIMULATED',
            infoLevel: 'INFO',
            infoDescription: 'this cart is simulated',
          },
        ]
      : [],
    x: { ...extension(view, commands, clockSynced), ...(generation ? { generation } : {}) },
  };
}

function extension(view: CartView, commands: Command[], clockSynced: boolean | undefined): object {
  const { link, telemetry, field, location, controlledBy, simulated, online, reason, name } = view;
  const { safety, sitePlan, faults } = view;
  return {
    name,
    simulated,
    online,
    reason: short(reason),
    safety: { ...safety, reason: short(safety.reason), resetNeeds: short(safety.resetNeeds) },
    ...(link ? { serial: { state: link.state, driver: link.driver, delivery: link.delivery } } : {}),
    ...(telemetry ? { telemetry } : {}),
    ...(field ? { field } : {}),
    ...(location ? { location } : {}),
    ...(controlledBy ? { controlledBy } : {}),
    ...(sitePlan ? { sitePlan } : {}),
    faults: faults.slice(0, MAX_FAULTS).map(({ path, message }) => ({ path, message: short(message) })),
    queue: commands.filter(({ state }) => state === 'QUEUED').length,
    commands: commands.map(({ id, state, reason: why, result }) => ({
      commandId: id,
      state,
      ...(why ? { reason: { ...why, text: short(why.text) } } : {}),
      ...(result ? { result } : {}),
    })),
    clockSynced: clockSynced ?? null,
  };
}

/** Returns a key of the values whose changes are published immediately; excludes pose, speed and voltages. */
export function changeKey({ view, commands, actions, refused }: StateSource): string {
  const { moving, online, reason, safety, link, field, location, controlledBy, sitePlan, faults } = view;
  const progress = commands.map(({ id, state, result }) => [id, state, result !== undefined]);
  return JSON.stringify([
    moving,
    online,
    reason,
    safety,
    link?.state,
    controlledBy,
    sitePlan,
    faults,
    field?.blocked,
    field?.bumpers,
    field?.ageS,
    location?.state,
    location?.suspiciousMarkers,
    progress,
    actions,
    refused.length,
    refused.at(-1),
  ]);
}
