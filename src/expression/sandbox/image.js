import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { EvalFlags, Intrinsics, QuickJS } from 'quickjs-wasi'
import { frozenClock, maxStackBytes } from './setting.js'

/**
 * @typedef {import('../protocol.ts').SandboxImage} SandboxImage
 * @typedef {typeof import('./guest/main.js')} GuestMain so that the guest is compiled along with this
 * @typedef {import('quickjs-wasi').JSValueHandle} Handle
 */

/** Everything except what can observe time or garbage collection. */
const intrinsics = (Intrinsics.ALL & ~(Intrinsics.WEAK_REF | Intrinsics.PERFORMANCE)) >>> 0

const guestFunctions = ['define', 'done', 'fail', 'keep', 'load', 'run', 'take']

/**
 * Builds a sandbox and saves its memory: taking the realm apart takes longer than all the rest, and copying the result
 * takes almost no time.
 * @returns {Promise<SandboxImage>}
 */
export async function makeImage() {
  const module = await WebAssembly.compile(
    await readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')),
  )
  const files = await guestFiles()
  const sandbox = await QuickJS.create({
    wasm: module,
    wasi: frozenClock,
    timezoneOffset: 0,
    maxStackSize: maxStackBytes,
    intrinsics,
    moduleLoader: loaderOf(files),
  })
  const functions = await runGuest(sandbox, files.get('main.js') ?? missing('main.js'))
  sandbox.runGC()
  const { memory, stackPointer, runtimePtr, contextPtr } = sandbox.snapshot()
  const usedBytes = sandbox.getMemoryUsage().mallocSize
  return {
    module,
    memory: shared(memory),
    stackPointer,
    runtime: runtimePtr,
    context: contextPtr,
    functions,
    usedBytes,
  }
}

/** The modules of the guest are plain JavaScript that QuickJS runs directly. */
async function guestFiles() {
  const names = ['base64', 'batch', 'clock', 'failure', 'global-names', 'plain-copy', 'main', 'realm'].map(
    (name) => `${name}.js`,
  )
  const texts = await Promise.all(names.map((name) => readFile(new URL(`./guest/${name}`, import.meta.url), 'utf8')))
  return new Map(names.map((name, index) => [name, texts[index] ?? '']))
}

/** @param {ReadonlyMap<string, string>} files */
function loaderOf(files) {
  return {
    /**
     * @param {string} _importer
     * @param {string} specifier
     */
    normalize: (_importer, specifier) => specifier.replace('./', ''),
    /** @param {string} name */
    load: (name) => files.get(name) ?? missing(name),
  }
}

/**
 * @param {QuickJS} sandbox
 * @param {string} main
 */
async function runGuest(sandbox, main) {
  /** @type {Record<string, number>} */
  const functions = {}
  const expose = sandbox.newFunction('expose', (exported) => {
    for (const name of guestFunctions) functions[name] = sandbox.exportHandle(exported.getProp(name))
    return sandbox.undefined
  })
  const translate = sandbox.newFunction('translate', () => sandbox.undefined)
  sandbox.setProp(sandbox.global, 'expose', expose)
  sandbox.setProp(sandbox.global, 'translate', translate)
  const started = sandbox.evalCode(main, 'main.js', EvalFlags.TYPE_MODULE)
  sandbox.executePendingJobs()
  if (functions.run === undefined) throw await whyNotStarted(sandbox, started)
  started.dispose()
  return functions
}

/**
 * @param {QuickJS} sandbox
 * @param {Handle} started
 */
async function whyNotStarted(sandbox, started) {
  const outcome = await sandbox.resolvePromise(started)
  return new Error(`The guest did not start: ${'error' in outcome ? outcome.error.toString() : 'it exposed nothing'}`)
}

/**
 * One copy for all threads.
 * @param {Uint8Array} bytes
 */
function shared(bytes) {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
  copy.set(bytes)
  return copy
}

/**
 * @param {string} name
 * @returns {never}
 */
function missing(name) {
  throw new Error(`The guest module ${name} is missing.`)
}
