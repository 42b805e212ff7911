// Node's types do not contain WebAssembly, and those of browsers do not apply here.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, () => unknown>>);
    readonly exports: unknown;
  }

  interface Memory {
    readonly buffer: ArrayBuffer;
  }
}
