import type { Text } from '../../shared/messages/message.js';
import type { CartLocation } from '../../shared/ports/navigation/plan-pose.js';
import type { CartFault, CartPose, CartSitePlan, CartView } from '../command/model.js';
import type { FieldView } from '../protective-field/model.js';
import type { Interlocks } from '../safety/interlocks.js';
import type { Refusal } from '../safety/refusals.js';
import type { ControllerLink } from '../serial/link.js';
import type { StopKind } from './contracts.js';

interface CartViewParts {
  cartId: number;
  name: string;
  link: ControllerLink;
  nowMs: number;
  interlocks: Interlocks;
  refusal: Refusal | undefined;
  moving: boolean;
  loopFault: Text;
  /** Warnings of the motion gate. */
  warnings: Text[];
  pose: CartPose | undefined;
  location: CartLocation | undefined;
  field: FieldView | undefined;
  sitePlan: CartSitePlan | undefined;
  commandId: string | undefined;
  stopPending: StopKind | undefined;
}

export function cartView(parts: CartViewParts): CartView {
  const { link, interlocks, commandId, stopPending, field, location, sitePlan } = parts;
  const { telemetry } = interlocks;
  const line = link.view();
  return {
    cartID: parts.cartId,
    name: parts.name,
    destination: 'serial',
    simulated: link.simulated,
    online: link.driver !== undefined,
    reason: line.reason,
    moving: parts.moving,
    ageMs: link.lastReportMs > 0 ? Math.round(parts.nowMs - link.lastReportMs) : null,
    link: line,
    safety: interlocks.view(parts.refusal),
    ...(telemetry ? { telemetry } : {}),
    ...(parts.pose ? { pose: parts.pose } : {}),
    ...(location ? { location } : {}),
    ...(field ? { field } : {}),
    ...(commandId ? { commandId } : {}),
    ...(stopPending ? { stopPending } : {}),
    ...(sitePlan ? { sitePlan } : {}),
    faults: faultsOf(parts),
  };
}

function faultsOf({ cartId, link, interlocks, loopFault, warnings }: CartViewParts): CartFault[] {
  const path = `carts/${cartId}`;
  const { fatal } = interlocks;
  const unprotected = link.driver?.traits.warning ?? '';
  const others = [...interlocks.faults(), loopFault, ...warnings, unprotected].filter(Boolean);
  return [
    ...(fatal ? [{ path, message: fatal, level: 'FATAL' as const }] : []),
    ...others.map((message) => ({ path, message })),
  ];
}
