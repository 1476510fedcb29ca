import { Instance } from './instance.js'

/**
 * @typedef {import('../protocol.ts').Batch} Batch
 * @typedef {import('../protocol.ts').Doom} Doom
 * @typedef {import('../protocol.ts').SandboxImage} SandboxImage
 * @typedef {import('../protocol.ts').WorkerMessage} WorkerMessage
 * @typedef {import('./pulse.js').Pulse} Pulse
 * @typedef {import('./instance.js').Step} Step
 *
 * @typedef {object} HostOptions
 * @property {SandboxImage} image
 * @property {Pulse} pulse
 * @property {number} maxInterrupts
 * @property {number} memoryBytes
 * @property {(virtualService: string) => string} translate
 * @property {(message: WorkerMessage) => void} send
 */

/** Room for the batches of ordinary objects; a larger one gets an instance of its own. */
const usualInputBytes = 64 * 1024
/** Results are sent this often, so that little is done twice when a sandbox breaks. */
const evaluationsPerMessage = 256
const interruptsPerMessage = 20

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
    const doomed = new Map(batch.doomed)
    let sent = batch.from
    while (sent < batch.count) sent = await this.#evaluateFrom(sent, batch, doomed)
    if (this.#instance !== undefined && this.#instance.inputBytes > usualInputBytes) this.#discardInstance()
  }

  /**
   * Evaluates to the end, or until the sandbox has to be replaced.
   * @param {number} first
   * @param {Batch} batch
   * @param {Map<number, Doom>} doomed
   * @returns {Promise<number>} the first evaluation that has not been answered
   */
  async #evaluateFrom(first, batch, doomed) {
    this.#options.pulse.startBatch(batch.id)
    const instance = this.#instance ?? (await this.#openInstance(batch))
    if (!instance.load(batch.text, first)) return this.#refuseInputs(first, batch)
    let sent = first
    for (let index = first; index < batch.count; index++) {
      const step = this.#evaluateOne(instance, index, doomed.get(index))
      if (step === 'broken') {
        doomed.set(index, 'crashed')
        this.#discardInstance()
        return sent
      }
      if (this.#isTimeToSend(step, index + 1 - sent) || index + 1 === batch.count) {
        this.#send(batch, instance.take())
        sent = index + 1
      }
      if (step === 'replace instance') {
        this.#discardInstance()
        return sent
      }
    }
    return sent
  }

  /**
   * @param {Instance} instance
   * @param {number} index
   * @param {Doom | undefined} doom
   * @returns {Step}
   */
  #evaluateOne(instance, index, doom) {
    this.#options.pulse.startEvaluation(index)
    if (doom !== undefined) return instance.skip(doom)
    const step = instance.run()
    return step === 'timeout' ? instance.answerTimeout() : step
  }

  /**
   * @param {Step} step
   * @param {number} waiting
   */
  #isTimeToSend(step, waiting) {
    return step !== 'going on' || waiting >= evaluationsPerMessage || this.#interrupts >= interruptsPerMessage
  }

  /**
   * @param {Batch} batch
   * @param {string} text
   */
  #send({ id }, text) {
    this.#interrupts = 0
    this.#options.send({ type: 'results', batch: id, text })
  }

  /**
   * @param {number} first
   * @param {Batch} batch
   */
  #refuseInputs(first, batch) {
    this.#discardInstance()
    this.#send(batch, JSON.stringify(Array(batch.count - first).fill({ kind: 'memory' })))
    return batch.count
  }

  /**
   * What a batch brings along for later ones.
   * @param {Batch} batch
   */
  #learn({ fresh, text, definitions, kept }) {
    if (fresh) this.#forget()
    for (const [id, source] of definitions) this.#definitions.set(id, source)
    for (const [slot, description] of kept) this.#kept.set(slot, description)
    const instance = this.#instance
    if (instance === undefined) return
    if (this.#inputBytes(text) > instance.inputBytes) this.#discardInstance()
    else instance.learn(definitions, kept)
  }

  #forget() {
    this.#definitions.clear()
    this.#kept.clear()
    this.#discardInstance()
  }

  /** @param {Batch} batch */
  async #openInstance({ text }) {
    const instance = await Instance.open({
      ...this.#options,
      inputBytes: Math.max(usualInputBytes, this.#inputBytes(text)),
      onInterrupt: () => this.#countInterrupt(),
    })
    instance.learn([...this.#definitions], [...this.#kept])
    this.#instance = instance
    return instance
  }

  #countInterrupt() {
    this.#interrupts++
    this.#options.pulse.beat()
  }

  /** @param {string} text */
  #inputBytes(text) {
    return [...this.#kept.values()].reduce((sum, kept) => sum + kept.length, text.length)
  }

  #discardInstance() {
    this.#instance?.close()
    this.#instance = undefined
  }
}
