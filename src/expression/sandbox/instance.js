import { EvalFlags, JSException, QuickJS } from 'quickjs-wasi'
import { frozenClock, maxStackBytes } from './setting.js'

/**
 * @typedef {import('../protocol.ts').Batch} Batch
 * @typedef {import('../protocol.ts').SandboxImage} SandboxImage
 * @typedef {import('../protocol.ts').FatalFailure} FatalFailure
 * @typedef {import('quickjs-wasi').JSValueHandle} Handle
 *
 * @typedef {object} InstanceOptions
 * @property {SandboxImage} image
 * @property {number} memoryBytes
 * @property {number} maxInterrupts
 * @property {() => void} onInterrupt called again and again while an evaluation runs
 * @property {import('./questions.js').Translate} translate
 *
 * @typedef {'going on' | 'fetch results' | 'replace instance' | 'timeout' | 'broken'} Step
 */

/** Small inputs, and cycles until they are collected. */
const slackBytes = 1024 * 1024
/** Longer inputs are measured, since JSON takes up to a hundred times its length as objects. */
const smallInput = 4 * 1024
const maxInputBytes = 256 * 1024 * 1024

/** Indexed by what the guest returns after an evaluation. */
const askedSteps = /** @type {const} */ (['going on', 'fetch results', 'replace instance'])

/** A question to the other thread takes part of the time between two interrupts, which nothing else counts. */
const interruptsPerQuestion = 1 / 8

/** Counts the interrupts since the evaluation began. */
class Meter {
  #interrupts = 0
  /** @type {InstanceOptions} */ #options

  /** @param {InstanceOptions} options */
  constructor(options) {
    this.#options = options
  }

  get exceeded() {
    return this.#interrupts > this.#options.maxInterrupts
  }

  restart() {
    this.#interrupts = 0
  }

  /** Whether there is time for a question. */
  chargeQuestion() {
    this.#interrupts += interruptsPerQuestion
    return !this.exceeded
  }

  /** Whether to stop. */
  interrupt() {
    this.#interrupts++
    this.#options.onInterrupt()
    return this.exceeded
  }
}

/** A copy of the image that evaluates batches until it is broken. */
export class Instance {
  /** @type {QuickJS} */ #engine
  /** @type {Meter} */ #meter
  /** @type {ReadonlyMap<string, Handle>} */ #guest
  #memoryBytes
  #usedBytes
  #inputsAreLarge = false

  /** @param {InstanceOptions} options */
  static async open(options) {
    const { image } = options
    const meter = new Meter(options)
    const snapshot = {
      memory: image.memory,
      stackPointer: image.stackPointer,
      runtimePtr: image.runtime,
      contextPtr: image.context,
      extensions: [],
    }
    const engine = await QuickJS.restore(snapshot, {
      wasm: image.module,
      wasi: frozenClock,
      timezoneOffset: 0,
      maxStackSize: maxStackBytes,
      interruptHandler: () => meter.interrupt(),
    })
    engine.registerHostCallback('translate', (service) =>
      engine.newString(options.translate(service.toString(), () => meter.chargeQuestion())),
    )
    return new Instance(engine, meter, options)
  }

  /**
   * @param {QuickJS} engine
   * @param {Meter} meter
   * @param {InstanceOptions} options
   */
  constructor(engine, meter, { image, memoryBytes }) {
    this.#engine = engine
    this.#meter = meter
    this.#guest = new Map(Object.entries(image.functions).map(([name, token]) => [name, engine.importHandle(token)]))
    this.#memoryBytes = memoryBytes
    this.#usedBytes = image.usedBytes
  }

  /**
   * Receives expressions, and descriptions of virtual clusters as JSON.
   * @param {Batch['definitions']} definitions
   * @param {Batch['kept']} kept
   */
  learn(definitions, kept) {
    for (const [id, source] of definitions) this.#call('define', this.#engine.newNumber(id), this.#compiled(source))
    for (const [slot, text] of kept) this.#call('keep', this.#engine.newNumber(slot), this.#engine.newString(text))
    if (definitions.length + kept.length > 0) this.#weigh()
  }

  /**
   * @param {string} text
   * @param {number} from the first evaluation to run
   * @returns {boolean} false if there is not enough memory for it
   */
  load(text, from) {
    try {
      this.#limitMemory(maxInputBytes)
      this.#call('load', this.#engine.newString(text), this.#engine.newNumber(from))
      if (text.length > smallInput || this.#inputsAreLarge) this.#weigh()
      this.#inputsAreLarge = text.length > smallInput
      this.#limitMemory(this.#usedBytes + this.#memoryBytes + slackBytes)
      return true
    } catch {
      return false
    }
  }

  /**
   * Evaluates the next expressions, at most `limit` of them, which together may take as much as one alone.
   * @param {number} limit
   * @returns {Step}
   */
  run(limit) {
    try {
      return askedSteps[this.#number('run', this.#engine.newNumber(limit))] ?? 'broken'
    } catch (error) {
      return this.#afterException(error)
    }
  }

  /** How many evaluations the last run has completed. */
  get done() {
    return this.#number('done')
  }

  /**
   * Answers the next evaluation without running it.
   * @param {FatalFailure} kind
   */
  skip(kind) {
    this.#call('fail', this.#engine.newString(kind), this.#engine.false)
  }

  /** Answers the evaluation that was just interrupted. */
  answerTimeout() {
    this.#call('fail', this.#engine.newString('timeout'), this.#engine.true)
  }

  /** The results since the last call; undefined if there is not enough memory to print them. */
  take() {
    try {
      return this.#answer('take').consume((text) => text.toString())
    } catch {
      return undefined
    }
  }

  close() {
    this.#engine.dispose()
  }

  /**
   * The newlines keep comments from swallowing the wrapper, and put the first line of the source on line 2. An
   * expression that the gate accepts and the engine does not fails when it is evaluated.
   * @param {string} source
   */
  #compiled(source) {
    try {
      return this.#engine.evalCode(`(value, context) => (\n${source}\n)`, 'expression', EvalFlags.STRICT)
    } catch (error) {
      if (!(error instanceof JSException)) throw error
      error.dispose()
      return this.#engine.evalCode(`() => { throw new SyntaxError(${JSON.stringify(error.message)}) }`)
    }
  }

  /** Inputs do not count as memory of the evaluations. */
  #weigh() {
    this.#usedBytes = this.#engine.getMemoryUsage().mallocSize
  }

  /** @param {number} bytes */
  #limitMemory(bytes) {
    // The engine can do it at any time, its interface only at the start.
    // biome-ignore lint/complexity/useLiteralKeys: the type checker allows access to a private member only in this form
    this.#engine['exports'].qjs_set_memory_limit(bytes)
  }

  /**
   * Only an interrupted evaluation leaves the instance intact. Other exceptions should have been caught inside, or came
   * from within the engine.
   * @param {unknown} error
   * @returns {Step}
   */
  #afterException(error) {
    const interrupted = error instanceof JSException && this.#meter.exceeded
    this.#meter.restart()
    if (!interrupted) return 'broken'
    error.dispose()
    this.#engine.runGC()
    return 'timeout'
  }

  /**
   * @param {string} name
   * @param {Handle[]} values
   */
  #number(name, ...values) {
    try {
      return this.#answer(name, ...values).consume((answer) => answer.toNumber())
    } finally {
      for (const value of values) value.dispose()
    }
  }

  /**
   * @param {string} name
   * @param {Handle[]} values
   */
  #call(name, ...values) {
    this.#answer(name, ...values).dispose()
    for (const value of values) value.dispose()
  }

  /**
   * @param {string} name
   * @param {Handle[]} values
   */
  #answer(name, ...values) {
    const guestFunction = this.#guest.get(name)
    if (guestFunction === undefined) throw new Error(`The guest has no function ${name}.`)
    this.#meter.restart()
    return this.#engine.callFunction(guestFunction, this.#engine.undefined, ...values)
  }
}
