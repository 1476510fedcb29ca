import { errorText } from '../base/error-text.ts'
import {
  defaultEvaluationLimits,
  type EngineOptions,
  type Evaluation,
  type EvaluationLimits,
  type EvaluationResult,
  type ExpressionEngine,
} from './contract.ts'
import { decodeResults } from './decode-results.ts'
import { BatchEncoder } from './encode-batch.ts'
import type { FatalFailure, SandboxImage } from './protocol.ts'
import { SandboxThread } from './sandbox-thread.ts'
import { checksBeforeStuck, StallWatch } from './stall-watch.ts'

/** How often the interpreter calls the interrupt handler per millisecond, on an idle core. */
const interruptsPerMs = 2

/** Starts the sandbox immediately. Nothing of it is loaded before this is called. */
export function createExpressionEngine(options: EngineOptions): ExpressionEngine {
  return new SandboxedEngine(options)
}

interface PendingBatch {
  readonly id: number
  readonly evaluations: readonly Evaluation[]
  readonly results: EvaluationResult[]
  readonly failures: Map<number, FatalFailure>
  /**
   * Whether each evaluation is watched separately. Set when a thread has ended during the batch, to find out which
   * evaluation was the cause, and whether it does that again: a busy machine may have been the reason.
   */
  careful: boolean
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
  /** Why nothing is evaluated anymore. */
  #closedBy: Error | undefined

  constructor(options: EngineOptions) {
    this.#options = options
    this.#limits = limitsOf(options)
    options.signal?.addEventListener('abort', this.#abort, { once: true })
    if (options.signal?.aborted === true) this.#closedBy = reasonOf(options.signal)
    else this.#thread = this.#startThread()
  }

  async evaluate(evaluations: readonly Evaluation[]): Promise<readonly EvaluationResult[]> {
    if (this.#closedBy !== undefined) throw this.#closedBy
    if (evaluations.length === 0) return []
    return new Promise((resolve, reject) => {
      const batch = {
        id: this.#nextId++,
        evaluations,
        results: [],
        failures: new Map(),
        careful: false,
        resolve,
        reject,
      }
      this.#post(batch)
      this.#pending.push(batch)
      this.#hold()
    })
  }

  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#abort)
    this.#closedBy ??= new Error('The expression engine is closed.')
    this.#rejectAll(this.#closedBy)
    const thread = this.#thread
    this.#thread = undefined
    await Promise.all([this.#ending, thread?.end()])
  }

  readonly #abort = (): void => {
    if (this.#options.signal !== undefined) this.#closedBy ??= reasonOf(this.#options.signal)
    void this.close()
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
    const { id, evaluations, results, failures, careful } = batch
    const encoded = this.#encoder.encode(evaluations)
    this.#thread.post({
      ...encoded,
      id,
      count: evaluations.length,
      from: results.length,
      failures: [...failures],
      careful,
    })
  }

  #receive(id: number, results: readonly EvaluationResult[]): void {
    const batch = this.#pending[0]
    if (batch?.id !== id) {
      this.#rejectAll(new Error(`Results came for batch ${id}, which no caller waits for.`))
      return
    }
    for (const result of results) batch.results.push(result)
    if (batch.results.length < batch.evaluations.length) return
    this.#pending.shift()
    if (this.#pending.length === 0) this.#thread?.release()
    batch.resolve(batch.results)
  }

  /** An answer that begins with an exclamation mark is an error message. There must be an answer: the sandbox waits. */
  #translate(virtualService: string): string {
    try {
      const translation = this.#options.virtualToHostDNS(virtualService)
      return translation.ok ? translation.address : `!${translation.message}`
    } catch (error) {
      return `!${errorText(error)}`
    }
  }

  #hold(): void {
    this.#thread?.hold()
    if (this.#watch !== undefined) return
    const stall = new StallWatch(this.#limits.stallMs)
    this.#watch = setInterval(() => this.#look(stall), this.#limits.stallMs / checksBeforeStuck)
    this.#watch.unref()
  }

  #look(stall: StallWatch): void {
    const [head] = this.#pending
    const thread = this.#thread
    if (head === undefined || thread === undefined) {
      this.#stopWatching()
      return
    }
    if (!stall.isStuck(thread.pulse, head.id, workOfProcessMs())) return
    this.#ending = Promise.all([this.#ending, thread.end()])
    this.#goOnAfter(thread, 'timeout', new Error('The expression sandbox is stuck.'))
  }

  #stopWatching(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #afterDeath(thread: SandboxThread, reason: Error): void {
    if (this.#thread === thread) this.#goOnAfter(thread, 'crashed', reason)
  }

  /** The evaluation during which a thread ended is not retried; all others are. */
  #goOnAfter(thread: SandboxThread, kind: FatalFailure, reason: Error): void {
    this.#thread = undefined
    const [head] = this.#pending
    if (head === undefined) return
    const { batch, evaluation } = thread.pulse
    const toBlame = thread.ready && batch === head.id && evaluation >= 0 && !head.failures.has(evaluation)
    if (!toBlame) {
      this.#rejectAll(cannotRun(reason))
      return
    }
    if (head.careful) head.failures.set(evaluation, kind)
    head.careful = true
    this.#restart()
  }

  #restart(): void {
    this.#thread = this.#startThread()
    this.#thread.hold()
    for (const batch of this.#pending) this.#post(batch)
  }

  #rejectAll(reason: Error): void {
    this.#stopWatching()
    this.#thread?.release()
    for (const batch of this.#pending.splice(0)) batch.reject(reason)
  }
}

/** A higher limit on work also raises the limit on one uninterrupted part of it. */
function limitsOf({ limits = {} }: EngineOptions): EvaluationLimits {
  const stallMs = 5 * (limits.deadlineMs ?? defaultEvaluationLimits.deadlineMs)
  return { ...defaultEvaluationLimits, stallMs, ...limits }
}

function workOfProcessMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('The evaluation was canceled.')
}

function cannotRun(reason: Error): Error {
  return new Error(`The expression sandbox does not run: ${reason.message}`, { cause: reason })
}
