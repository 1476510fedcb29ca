/** The part of WebAssembly that is used here; otherwise its types come with those of browsers. */
declare namespace WebAssembly {
  class Module {
    private readonly brand
  }
  interface Memory {
    readonly buffer: ArrayBuffer
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
