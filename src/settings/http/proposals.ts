import { randomBytes } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import type { Why } from '../history/history.js';

/** Who looks at a change for longer than it takes to make twenty others begins again. */
const KEPT = 20;

/** A change that was shown and not made yet. */
export interface Proposal {
  patch: Record<string, unknown>;
  why: Why;
  /** Of the settings that it was compared with. */
  etag: string;
  /** What stood in the form, by pointer. */
  entered?: Record<string, unknown>;
}

/**
 * Changes between the page that shows them and the button that makes them. They stay in the gateway, so that what is made
 * is what was shown, and no secret goes to the browser and back.
 */
export class Proposals {
  #byId = new Map<string, Proposal>();

  add(proposal: Proposal): string {
    const id = randomBytes(12).toString('hex');
    this.#byId.set(id, proposal);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > KEPT && oldest) this.#byId.delete(oldest);
    return id;
  }

  /** Gives a proposal out, once. Throws `CONFLICT` when it is not there any more. */
  take(id: unknown): Proposal {
    const proposal = this.#byId.get(String(id));
    this.#byId.delete(String(id));
    if (proposal) return proposal;
    throw new GatewayError('CONFLICT', 'this change was made already, or is too old', {
      hint: 'Look at the settings, and begin again where something is missing.',
    });
  }
}
