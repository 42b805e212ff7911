import type { AppContext } from './context.js';
import type { ShutdownStack } from './shutdown-stack.js';

interface Step {
  name: string;
  open: (context: AppContext, opened: never) => unknown;
  close: ((module: never) => unknown) | undefined;
}

/**
 * Modules in the order of opening. Each module can use the modules before it; using a later one is a type error. When
 * the gateway closes, they are closed in reverse order.
 */
export class ModuleList<Opened extends object = object> {
  readonly #steps: readonly Step[];

  constructor(steps: readonly Step[] = []) {
    this.#steps = steps;
  }

  /** Returns a longer list. A module without `close` ends with the modules that it uses. */
  add<Name extends string, Module>(
    name: Name,
    open: (context: AppContext, opened: Opened) => Module | Promise<Module>,
    close?: (module: Module) => unknown,
  ): ModuleList<Opened & Record<Name, Module>> {
    return new ModuleList([...this.#steps, { name, open, close }]);
  }

  /** Opens the modules in order, and registers their `close` functions in `closers`. */
  async open(context: AppContext, closers: ShutdownStack): Promise<Opened> {
    const opened: Record<string, unknown> = {};
    for (const { name, open, close } of this.#steps) {
      const module = await open(context, opened as never);
      opened[name] = module;
      if (close) closers.defer(name, () => close(module as never));
    }
    return opened as Opened;
  }
}
