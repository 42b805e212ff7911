import type { ResetCause } from '../../carts/serial/codec/event-reasons.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';
import { createProgram, type ProgramName } from '../boards/programs.js';
import { Body, type PhysicsOptions, randomFrom } from '../physics/physics.js';
import { type Snapshot, snapshotOf } from '../snapshot.js';
import type { ControllerContext, Program } from './context.js';
import { FaultPanel, type FaultVerb } from './faults.js';
import { Line } from './line.js';

export type { Snapshot } from '../snapshot.js';

/** What an Arduino takes from power to its first word, about. */
const DEFAULT_BOOT_MS = 400;

export interface ControllerOptions {
  clock: Clock;
  /** What it speaks: one of the gateway's drivers. */
  dialect: ProgramName;
  /** Of every random choice: bits to flip, noise, nonces. */
  seed?: number;
  /** How long a restart takes; it starts its life already running. */
  bootMs?: number;
  physics?: Partial<PhysicsOptions>;
  /** The protocol version it speaks: another than 1 makes a controller that no gateway can use. */
  proto?: number;
}

/**
 * A motor controller with a cart around it, behind any byte stream: bytes in by `receive`, out by `onSend`.
 * It speaks the protocol of docs/protocol.md or that of a board which can be bought, has its own deadman and emergency
 * stop, and fails on request.
 */
export class SimulatedController {
  readonly #world: ControllerContext;
  readonly #options: ControllerOptions;
  readonly #watchers = new Set<(snapshot: Snapshot) => void>();
  #program: ProgramName;
  #firmware: Program | undefined;
  #powered = true;
  #pressed = false;
  #starts = 0;
  #booting: Cancel = () => undefined;

  constructor(options: ControllerOptions) {
    const random = randomFrom(options.seed ?? 1);
    const faults = new FaultPanel();
    this.#options = options;
    this.#program = options.dialect;
    this.#world = {
      clock: options.clock,
      random,
      faults,
      body: new Body(options.physics),
      line: new Line({ clock: options.clock, faults, random }),
      estopPressed: () => this.#pressed,
      counters: { framesReceived: 0, commandsSeen: 0, motions: 0 },
      onChange: () => this.#tellWatchers(),
    };
    this.#start('powerOn');
  }

  /** Takes bytes from the wire. A controller that is off or starting does not hear them. */
  receive(bytes: Uint8Array): void {
    this.#firmware?.receive(bytes);
  }

  /** Calls back with every piece that the controller sends. */
  onSend(listener: (bytes: Uint8Array) => void): Cancel {
    return this.#world.line.onSend(listener);
  }

  /** Calls back whenever a status is due: every 100 ms in motion, every 500 ms at rest, and on every change. */
  onReport(listener: (snapshot: Snapshot) => void): Cancel {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  /** Switches the supply. Off: the cart stands at once. On: it starts anew. */
  power(on: boolean): void {
    if (on === this.#powered) return;
    this.#powered = on;
    this.#stop();
    if (on) this.#boot('powerOn');
    else this.#world.onChange();
  }

  /** Presses the reset button of the board: everything but the cart's place in the world is forgotten. */
  reset(): void {
    if (!this.#powered) return;
    this.#stop();
    this.#boot('external');
  }

  /** Loads another program, or takes the place of another board: it starts anew. */
  program(name: ProgramName): void {
    if (name === this.#program) return;
    this.#program = name;
    this.reset();
  }

  /** Makes something go wrong, or well again. `argument`: see the verbs; each has a usual one. */
  fault(verb: FaultVerb, on: boolean, argument?: number): void {
    if (verb === 'reset') return on ? this.reset() : undefined;
    this.#world.faults.set(verb, on, argument);
    if (verb === 'noise') this.#world.line.retune();
    // What a gauge shows is news at once, not only with the next status.
    if (verb === 'lowBattery' || verb === 'hot') this.#firmware?.report();
  }

  /** The button that is wired to the controller itself. */
  pressEstop(): void {
    this.#pressed = true;
    this.#firmware?.emergencyStop();
  }

  /** Only lets the button go: the latch stays until it is reset by a frame. */
  releaseEstop(): void {
    this.#pressed = false;
    this.#firmware?.estop.touch();
    this.#firmware?.report();
  }

  /** Presses the reset button on the cart. */
  pressReset(): void {
    if (this.#firmware?.estop.resetHere()) this.#firmware.report();
  }

  snapshot(): Snapshot {
    const resting = { powered: this.#powered, pressed: this.#pressed, starts: this.#starts };
    return snapshotOf(this.#world, this.#firmware, resting);
  }

  /** Ends it: no timer is left. */
  close(): void {
    this.#powered = false;
    this.#stop();
    this.#world.line.close();
  }

  /** A thousand controllers report twice a second, and mostly nobody looks: then nothing is put together. */
  #tellWatchers(): void {
    if (this.#watchers.size === 0) return;
    const snapshot = this.snapshot();
    for (const tell of [...this.#watchers]) tell(snapshot);
  }

  #boot(cause: ResetCause): void {
    this.#world.onChange();
    const bootMs = this.#options.bootMs ?? DEFAULT_BOOT_MS;
    this.#booting = this.#world.clock.after(bootMs, () => this.#start(cause));
  }

  #start(cause: ResetCause): void {
    this.#starts += 1;
    const boot = { count: this.#starts, cause, proto: this.#options.proto ?? 1 };
    this.#firmware = createProgram(this.#program, this.#world, boot);
    this.#firmware.start();
  }

  #stop(): void {
    this.#booting();
    this.#firmware?.kill();
    this.#firmware = undefined;
    this.#world.body.odoLeftMm = 0;
    this.#world.body.odoRightMm = 0;
    this.#world.line.clear();
  }
}
