import { isAtLeast, type Principal } from '../../access/schema.js';
import type { SafetyView } from '../../carts/command/model.js';
import type { StoreStatus } from '../../shared/ports/ports.js';
import type { FrameData } from '../../web/layout/context.js';

export interface Health {
  /** `stop-only` after unclean ends in a row. */
  mode: 'full' | 'stop-only';
  frame: FrameData;
  /** What is wrong: the part that has the fault, and a sentence. */
  faulty: { part: string; text: string }[];
  settingsFaults: { path: string; message: string }[];
  store: StoreStatus;
  uptimeS: number;
}

/**
 * Whether the caller gets names, addresses and file paths: operators, keys and a trusted network. Everybody else gets the
 * same members with what a monitor needs: states, codes and numbers.
 */
export function seesDetails(principal: Principal): boolean {
  if (principal.kind === 'user') return isAtLeast(principal.role, 'operator');
  return principal.kind !== 'nobody';
}

/** Without names, addresses and paths. Faults are named by the part that has them. */
export function publicHealth({ frame, faulty, settingsFaults, store, ...rest }: Health): Health {
  const { broker, camera } = frame.links;
  const parts = new Set([
    ...faulty.map(({ part }) => part),
    ...(settingsFaults.length > 0 ? ['settings'] : []),
  ]);
  return {
    ...rest,
    frame: {
      ...frame,
      gateway: { ...frame.gateway, name: '', fleet: '' },
      links: { broker: { ...broker, reason: '', url: '' }, camera: { ...camera, reason: '' } },
      carts: frame.carts.map((cart) => ({ ...cart, safety: publicSafety(cart.safety) })),
    },
    faulty: [...parts].map((part) => ({ part, text: part })),
    settingsFaults: [],
    store: publicStore(store),
  };
}

function publicSafety({ stoppedBy: _name, ...safety }: SafetyView): SafetyView {
  return { ...safety, reason: '', resetNeeds: '' };
}

function publicStore({ restoredFrom, lastBackup, ...store }: StoreStatus): StoreStatus {
  return {
    ...{ ...store, reason: '', notices: [] },
    ...(restoredFrom === undefined ? {} : { restoredFrom: '' }),
    ...(lastBackup ? { lastBackup: { ...lastBackup, path: '' } } : {}),
  };
}
