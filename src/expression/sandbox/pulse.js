const beats = 0
const batch = 1
const evaluation = 2
const answers = 3

/**
 * What the sandbox's thread shows the engine's thread while it is busy: a counter that moves as long as it makes
 * progress, and its position. Also how one wakes the other.
 */
export class Pulse {
  /** @readonly */ memory
  #cells

  /** @param {SharedArrayBuffer} memory */
  constructor(memory = new SharedArrayBuffer(16)) {
    this.memory = memory
    this.#cells = new Int32Array(memory)
  }

  get beats() {
    return Atomics.load(this.#cells, beats)
  }

  get batch() {
    return Atomics.load(this.#cells, batch)
  }

  get evaluation() {
    return Atomics.load(this.#cells, evaluation)
  }

  /** @param {number} id */
  startBatch(id) {
    Atomics.store(this.#cells, evaluation, -1)
    Atomics.store(this.#cells, batch, id)
  }

  /** @param {number} index */
  startEvaluation(index) {
    Atomics.store(this.#cells, evaluation, index)
    this.beat()
  }

  beat() {
    Atomics.add(this.#cells, beats, 1)
  }

  announceAnswer() {
    Atomics.add(this.#cells, answers, 1)
    Atomics.notify(this.#cells, answers)
  }

  /**
   * Asks and sleeps until there is an answer.
   * @param {() => void} ask
   */
  waitForAnswer(ask) {
    const before = Atomics.load(this.#cells, answers)
    ask()
    Atomics.wait(this.#cells, answers, before)
  }
}
