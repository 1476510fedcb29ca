import {
  defaultLimits,
  type EngineOptions,
  type Evaluation,
  type EvaluationLimits,
  type EvaluationResult,
  type ExpressionEngine,
} from './contract.ts'
import { decodeResults } from './decode-results.ts'
import { BatchEncoder } from './encode-batch.ts'
import type { Doom, SandboxImage } from './protocol.ts'
import { SandboxThread } from './sandbox-thread.ts'
import { looksBeforeStuck, StallWatch } from './stall-watch.ts'

/** The engine asks this often whether to go on, on an idle core. */
const interruptsPerMs = 2

/** Starts the sandbox at once. Nothing of it is loaded before this is called. */
export function createExpressionEngine(options: EngineOptions): ExpressionEngine {
  return new SandboxedEngine(options)
}

interface PendingBatch {
  readonly id: number
  readonly evaluations: readonly Evaluation[]
  readonly results: EvaluationResult[]
  readonly doomed: Map<number, Doom>
  readonly resolve: (results: readonly EvaluationResult[]) => void
  readonly reject: (reason: Error) => void
}

class SandboxedEngine implements ExpressionEngine {
  readonly #options: EngineOptions
  readonly #limits: EvaluationLimits
  readonly #encoder = new BatchEncoder()
  /** In the order in which they were sent, which is the order in which they are answered. */
  readonly #pending: PendingBatch[] = []
  #thread: SandboxThread | undefined
  #image: SandboxImage | undefined
  #watch: NodeJS.Timeout | undefined
  #nextId = 1
  #ending: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(options: EngineOptions) {
    this.#options = options
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#thread = this.#startThread()
  }

  async evaluate(evaluations: readonly Evaluation[]): Promise<readonly EvaluationResult[]> {
    if (this.#closed) throw closedError()
    if (evaluations.length === 0) return []
    return new Promise((resolve, reject) => {
      const batch = { id: this.#nextId++, evaluations, results: [], doomed: new Map(), resolve, reject }
      this.#post(batch)
      this.#pending.push(batch)
      this.#hold()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#rejectAll(closedError())
    const thread = this.#thread
    this.#thread = undefined
    await Promise.all([this.#ending, thread?.end()])
  }

  #startThread(): SandboxThread {
    this.#encoder.reset()
    const thread = new SandboxThread(
      {
        image: this.#image,
        maxInterrupts: Math.max(1, Math.round(this.#limits.deadlineMs * interruptsPerMs)),
        memoryBytes: this.#limits.memoryBytes,
        translate: (virtualService) => this.#translate(virtualService),
      },
      {
        onReady: (image) => {
          this.#image = image
        },
        onResults: (id, text) => this.#receive(id, decodeResults(text, this.#limits)),
        onDeath: (reason) => this.#afterDeath(thread, reason),
      },
    )
    return thread
  }

  #post(batch: PendingBatch): void {
    this.#thread ??= this.#startThread()
    const { id, evaluations, results, doomed } = batch
    const encoded = this.#encoder.encode(evaluations)
    this.#thread.post({ ...encoded, id, count: evaluations.length, from: results.length, doomed: [...doomed] })
  }

  #receive(id: number, results: readonly EvaluationResult[]): void {
    const batch = this.#pending[0]
    if (batch?.id !== id) {
      this.#rejectAll(new Error(`Results came for batch ${id}, which nobody waits for.`))
      return
    }
    batch.results.push(...results)
    if (batch.results.length < batch.evaluations.length) return
    this.#pending.shift()
    if (this.#pending.length === 0) this.#release()
    batch.resolve(batch.results)
  }

  /** An answer that begins with an exclamation mark is the message of an error. */
  #translate(virtualService: string): string {
    const translation = this.#options.virtualToHostDNS(virtualService)
    return translation.ok ? translation.address : `!${translation.message}`
  }

  #hold(): void {
    this.#thread?.hold()
    if (this.#watch !== undefined) return
    const stall = new StallWatch()
    this.#watch = setInterval(() => this.#look(stall), this.#limits.stallMs / looksBeforeStuck)
  }

  #release(): void {
    this.#thread?.release()
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #look(stall: StallWatch): void {
    const [head] = this.#pending
    const thread = this.#thread
    if (head === undefined || thread === undefined || !stall.isStuck(thread.pulse, head.id)) return
    this.#ending = Promise.all([this.#ending, thread.end()])
    this.#goOnAfter(thread, 'timeout', new Error('The expression sandbox is stuck.'))
  }

  #afterDeath(thread: SandboxThread, reason: Error): void {
    if (this.#thread === thread) this.#goOnAfter(thread, 'crashed', reason)
  }

  /** The evaluation that a thread was busy with when it ended is not tried again; all others are. */
  #goOnAfter(thread: SandboxThread, kind: Doom, reason: Error): void {
    this.#thread = undefined
    const [head] = this.#pending
    if (head === undefined) return
    const { batch, evaluation } = thread.pulse
    const toBlame = thread.ready && batch === head.id && evaluation >= 0 && !head.doomed.has(evaluation)
    if (!toBlame) {
      this.#rejectAll(cannotRun(reason))
      return
    }
    head.doomed.set(evaluation, kind)
    this.#restart()
  }

  #restart(): void {
    this.#thread = this.#startThread()
    this.#thread.hold()
    for (const batch of this.#pending) this.#post(batch)
  }

  #rejectAll(reason: Error): void {
    this.#release()
    for (const batch of this.#pending.splice(0)) batch.reject(reason)
  }
}

function closedError(): Error {
  return new Error('The expression engine is closed.')
}

function cannotRun(reason: Error): Error {
  return new Error(`The expression sandbox does not run: ${reason.message}`, { cause: reason })
}
