import { Command } from '../../../../src/carts/command/command.js';
import type { CartView, Order, Origin, Reason, StopOrigin } from '../../../../src/carts/command/model.js';
import type { CommandGateway, StopKind } from '../../../../src/carts/control/contracts.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { Clock } from '../../../../src/shared/ports/clock.js';
import { Signal } from '../../../../src/shared/signal.js';

/** A dispatcher that has no cart and records all calls; the test sets the commands' states. */
export class FakeDispatcher implements CommandGateway {
  readonly begun: Command[] = [];
  readonly stops: { kind: StopKind; origin: StopOrigin }[] = [];
  readonly resets: Origin[] = [];
  /** The error that `accept` throws; undefined if it does not throw. */
  refusal: GatewayError | undefined;
  latchSaved = async (): Promise<void> => undefined;
  /** Resolves when the controller acknowledges a stop. */
  stopConfirmed = async (): Promise<void> => undefined;
  view: CartView;
  emergencyStops = 0;
  #clock: Clock;
  #commands = new Map<string, Command>();
  #change = new Signal();
  #command = new Signal<[Command]>();

  constructor(clock: Clock, view: Partial<CartView> = {}) {
    this.#clock = clock;
    this.view = {
      cartID: 2,
      name: 'Cart 2',
      destination: 'serial',
      simulated: true,
      online: true,
      reason: '',
      moving: false,
      ageMs: 10,
      safety: {
        mayMove: true,
        reason: '',
        code: '',
        emergencyStop: 'NONE',
        input: 'healthy',
        pins: 'simulated',
        resetNeeds: '',
      },
      faults: [],
      ...view,
    };
  }

  readonly onOwnChange = this.#change.on.bind(this.#change);
  readonly onOwnCommand = this.#command.on.bind(this.#command);

  accept(order: Order, origin: Origin): Command {
    const known = this.#commands.get(order.commandId);
    if (known) {
      if (JSON.stringify(known.order) === JSON.stringify(order)) return known;
      throw new GatewayError('ID_REUSED', 'this commandId was already used for a different command');
    }
    if (this.refusal) throw this.refusal;
    const command = new Command(order, origin, {
      destination: 'serial',
      simulated: true,
      clock: this.#clock,
    });
    this.#commands.set(order.commandId, command);
    command.onTransition(() => this.#command.emit(command));
    command.advance('SENT', 'frame written');
    this.begun.push(command);
    this.change({ commandId: command.id, moving: true });
    this.#command.emit(command);
    return command;
  }

  find(commandId: string): Command | undefined {
    return this.#commands.get(commandId.toLowerCase());
  }

  protect(command: Command, reason: Reason): void {
    command.end('FAILED', reason);
    this.change({ moving: false });
  }

  stopOwn(kind: StopKind, origin: StopOrigin): void {
    this.stops.push({ kind, origin });
    for (const command of this.begun) command.end('CANCELLED', { code: 'STOPPED', text: 'stopped' });
    if (kind === 'estop') this.latch('REMOTE');
    else this.change({ moving: false });
  }

  async resetOwn(origin: Origin): Promise<void> {
    this.resets.push(origin);
    if (this.refusal) throw this.refusal;
    this.latch('NONE');
  }

  ownCart(): CartView {
    return this.view;
  }

  change(view: Partial<CartView>): void {
    this.view = { ...this.view, ...view };
    this.#change.emit();
  }

  latch(emergencyStop: 'NONE' | 'REMOTE'): void {
    const mayMove = emergencyStop === 'NONE';
    if (!mayMove) this.emergencyStops += 1;
    const code = mayMove ? '' : 'ESTOP_ACTIVE';
    this.change({ moving: false, safety: { ...this.view.safety, emergencyStop, mayMove, code } });
  }

  finish(): void {
    this.change({ moving: false });
    this.begun.at(-1)?.finish({ distanceMm: 990, angleDeg: 0, estimated: false });
  }
}
