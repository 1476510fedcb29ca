import { Instance } from './instance.js'

/**
 * @typedef {import('../protocol.ts').Batch} Batch
 * @typedef {import('../protocol.ts').FatalFailure} FatalFailure
 * @typedef {import('../protocol.ts').EvaluationFailureText} FailureText
 * @typedef {import('../protocol.ts').SandboxImage} SandboxImage
 * @typedef {import('../protocol.ts').WorkerMessage} WorkerMessage
 * @typedef {import('./pulse.js').Pulse} Pulse
 *
 * @typedef {object} HostOptions
 * @property {SandboxImage} image
 * @property {Pulse} pulse
 * @property {number} maxInterrupts
 * @property {number} memoryBytes
 * @property {import('./questions.js').Translate} translate
 * @property {(message: WorkerMessage) => void} send
 */

/** The limit for all results of a batch together: a batch is for one object, which has a tenth of it at most. */
const maxResults = 16 * 1024 * 1024
/** After a longer text the instance is discarded, since its memory never shrinks. */
const longText = 256 * 1024
/** How often results are sent, so that little is repeated when a sandbox breaks. */
const evaluationsPerMessage = 256
const interruptsPerMessage = 20

/** @type {FailureText} */
const tooManyResults = { kind: 'not-json', message: 'the results are together longer than any object may be' }

const outcomes = /** @type {const} */ ({ 'going on': 'go on', 'fetch results': 'send', 'replace instance': 'replace' })

/** How many are evaluated in one call, since calling the guest costs as much as half an evaluation. */
const evaluationsPerTurn = 64

/**
 * How far a batch has got.
 * @typedef {object} Progress
 * @property {Batch} batch
 * @property {Map<number, FatalFailure>} failures
 * @property {number} next the first evaluation that has not been done
 * @property {number} sent the first evaluation whose result has not been sent
 * @property {number} carefulUntil evaluations before this one are done one at a time
 * @property {number} size of the results that have been sent
 */

/** Evaluates batch after batch, and replaces the sandbox whenever one is broken. */
export class SandboxHost {
  /** @type {HostOptions} */ #options
  /** @type {Instance | undefined} */ #instance
  /** @type {Map<number, string>} */ #definitions = new Map()
  /** @type {Map<number, string>} */ #kept = new Map()
  #interrupts = 0

  /** @param {HostOptions} options */
  constructor(options) {
    this.#options = options
  }

  /** @param {Batch} batch */
  async evaluate(batch) {
    this.#learn(batch)
    const { from, count, careful } = batch
    const failures = new Map(batch.failures)
    /** @type {Progress} */
    const progress = { batch, failures, next: from, sent: from, carefulUntil: careful ? count : from, size: 0 }
    while (progress.sent < count) {
      this.#options.pulse.startBatch(batch.id)
      const instance = this.#instance ?? (await this.#openInstance())
      this.#evaluateWith(instance, progress)
    }
    if (batch.text.length > longText) this.#discardInstance()
  }

  /**
   * Evaluates to the end, or until the sandbox must be replaced or reloaded.
   * @param {Instance} instance
   * @param {Progress} progress
   */
  #evaluateWith(instance, progress) {
    const { batch, sent } = progress
    progress.next = sent
    if (!instance.load(batch.text, sent)) {
      this.#discardInstance()
      this.#refuseRest(progress, { kind: 'memory' })
      return
    }
    while (progress.sent < batch.count) {
      const outcome = this.#turn(instance, progress)
      const kept = outcome !== 'broken' && this.#sendIfDue(instance, progress, outcome !== 'go on')
      if (!kept || outcome === 'replace') this.#discardInstance()
      if (!kept || outcome === 'replace' || outcome === 'load again') return
    }
  }

  /**
   * Evaluates one, or several if none of them is known to be slow.
   * @param {Instance} instance
   * @param {Progress} progress
   * @returns {'go on' | 'send' | 'load again' | 'replace' | 'broken'} what to do next
   */
  #turn(instance, progress) {
    const { next, carefulUntil, failures, batch } = progress
    this.#options.pulse.startEvaluation(next)
    const failure = failures.get(next)
    if (failure !== undefined) {
      instance.skip(failure)
      progress.next++
      return 'go on'
    }
    const limit = next < carefulUntil ? 1 : Math.min(evaluationsPerTurn, batch.count - next)
    const step = instance.run(limit)
    if (step === 'broken') {
      if (limit === 1) failures.set(next, 'crashed')
      else beCareful(progress, next + limit)
      return 'broken'
    }
    if (step === 'timeout' && limit === 1) instance.answerTimeout()
    progress.next += step === 'going on' || limit === 1 ? limit : instance.done
    if (step !== 'timeout') return outcomes[step]
    // The interrupted evaluation has shared its time with others. It gets all of the time, and a fresh value.
    beCareful(progress, progress.next + evaluationsPerTurn)
    return limit === 1 ? 'go on' : 'load again'
  }

  /**
   * @param {Instance} instance
   * @param {Progress} progress
   * @param {boolean} now
   * @returns {boolean} false if the results cannot be fetched
   */
  #sendIfDue(instance, progress, now) {
    const { batch, next, sent, failures } = progress
    const due = next - sent >= evaluationsPerMessage || this.#interrupts >= interruptsPerMessage
    if (next === sent || !(now || due || next === batch.count)) return true
    const text = instance.take()
    if (text === undefined) {
      // A large result is fetched immediately, so it was the last one.
      failures.set(next - 1, 'memory')
      beCareful(progress, next)
      return false
    }
    this.#send(progress, text)
    return true
  }

  /**
   * @param {Progress} progress
   * @param {string} text
   */
  #send(progress, text) {
    this.#interrupts = 0
    progress.sent = progress.next
    progress.size += text.length
    this.#options.send({ type: 'results', batch: progress.batch.id, text })
    if (progress.size > maxResults) this.#refuseRest(progress, tooManyResults)
  }

  /**
   * @param {Progress} progress
   * @param {FailureText} failure
   */
  #refuseRest(progress, failure) {
    const { id, count } = progress.batch
    const text = JSON.stringify(Array(count - progress.sent).fill(failure))
    progress.next = progress.sent = count
    this.#options.send({ type: 'results', batch: id, text })
  }

  /**
   * Keeps what a batch provides for later ones.
   * @param {Batch} batch
   */
  #learn({ fresh, definitions, kept }) {
    if (fresh) this.#forget()
    for (const [id, source] of definitions) this.#definitions.set(id, source)
    for (const [slot, description] of kept) this.#kept.set(slot, description)
    this.#instance?.learn(definitions, kept)
  }

  #forget() {
    this.#definitions.clear()
    this.#kept.clear()
    this.#discardInstance()
  }

  async #openInstance() {
    const instance = await Instance.open({ ...this.#options, onInterrupt: () => this.#countInterrupt() })
    instance.learn([...this.#definitions], [...this.#kept])
    this.#instance = instance
    return instance
  }

  #countInterrupt() {
    this.#interrupts++
    this.#options.pulse.beat()
  }

  #discardInstance() {
    this.#instance?.close()
    this.#instance = undefined
  }
}

/**
 * @param {Progress} progress
 * @param {number} until
 */
function beCareful(progress, until) {
  progress.carefulUntil = Math.max(progress.carefulUntil, until)
}
