// Declared here, because Node's type definitions lack WebAssembly, and the browser's are not loaded.
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
