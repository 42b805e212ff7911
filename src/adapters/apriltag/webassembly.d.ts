// Declared here, because Node's type definitions do not include WebAssembly, and the browser's are not available.
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
