import { backoffMs } from '../../../base/backoff.ts'
import { Fifo } from '../../../base/concurrency/fifo.ts'
import type { Log } from '../../../base/log.ts'
import { rest, waitAtMost } from '../../../base/pause.ts'
import type { Random } from '../../../base/random.ts'

/**
 * Sends lines as they are in the file, several at a time. `refused`: the server does not want these lines, together or at
 * all. Throws if it can accept none now.
 */
export type SendLines = (lines: string, signal: AbortSignal) => Promise<'accepted' | 'refused'>

export interface AuditWebhookOptions {
  readonly send: SendLines
  /** The receiving server, as the log names it. */
  readonly origin: string
  readonly random: Random
  readonly log: Log
  /** Limit of the queue; further lines are dropped. */
  readonly maxQueuedBytes?: number
  readonly firstPauseMs?: number
}

interface Batch {
  readonly text: string
  readonly lines: number
}

const mostBatchBytes = 1024 * 1024
const sendTimeoutMs = 10_000
const longestPauseMs = 60_000
const stopMs = 2_000
/** Each refused line is a request of its own: beyond this many in a row, they are sent with pauses. */
const fewRefused = 100
const refusedPauseMs = 100

/** Sends lines to another server in the background; no request ever waits for it. */
export class AuditWebhook {
  readonly #options: AuditWebhookOptions
  readonly #queue = new Fifo<Batch>()
  /** Single lines that the receiver has refused, until it accepts another. */
  readonly #refused = new Fifo<Batch>()
  readonly #stopping = new AbortController()
  #queuedBytes = 0
  #queuedLines = 0
  #sentLines = 0
  #droppedLines = 0
  #failures = 0
  #failuresInARow = 0
  #work: Promise<void> | undefined

  constructor(options: AuditWebhookOptions) {
    this.#options = options
  }

  get counts() {
    const [queued, sent, dropped, failures] = [this.#queuedLines, this.#sentLines, this.#droppedLines, this.#failures]
    return { queued, sent, dropped, failures }
  }

  /** The receiver can tell from the sequence numbers which lines were dropped. */
  add(text: string): void {
    const lines = linesIn(text)
    if (this.#queuedBytes + text.length > (this.#options.maxQueuedBytes ?? 8 * 1024 * 1024)) {
      this.#drop(lines, 'lines of the audit log are not sent: too many wait')
      return
    }
    this.#queue.push({ text, lines })
    this.#queuedBytes += text.length
    this.#queuedLines += lines
    this.#work ??= this.#sendAll().finally(() => {
      this.#work = undefined
    })
  }

  #drop(lines: number, why: string): void {
    if (this.#droppedLines === 0) this.#options.log.warn(why, this.#where)
    this.#droppedLines += lines
  }

  /** Makes a last attempt to send the queue. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await waitAtMost(stopMs, this.#work ?? Promise.resolve())
  }

  get #where() {
    return { webhook: this.#options.origin }
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.size > 0) {
      if (!(await this.#isOver(this.#take()))) return
    }
  }

  /**
   * Whether the next lines can be sent. A server may accept less than a batch at once, or refuse a line in it, whose
   * content callers choose: it gets halves instead, down to a line, so that no line keeps others from it.
   */
  async #isOver(batch: Batch): Promise<boolean> {
    for (;;) {
      const outcome = await this.#outcomeOf(batch)
      if (outcome === 'accepted') {
        this.#settle(batch, outcome)
        return this.#retryRefused()
      }
      if (outcome === 'refused') return batch.lines > 1 ? this.#areOver(halvesOf(batch)) : this.#putAside(batch)
      if (this.#stopping.signal.aborted) return false
      await rest(this.#pauseMs(), this.#stopping.signal)
    }
  }

  /** The fault may be that of the line, or of the receiver: that shows when it accepts another. */
  async #putAside(line: Batch): Promise<boolean> {
    this.#refused.push(line)
    if (this.#refused.size > fewRefused) await rest(refusedPauseMs, this.#stopping.signal)
    return !this.#stopping.signal.aborted
  }

  /** What a receiver that works refuses once more is never accepted. */
  async #retryRefused(): Promise<boolean> {
    for (let line = this.#refused.peek(); line !== undefined; line = this.#refused.peek()) {
      const outcome = await this.#outcomeOf(line)
      if (outcome === 'failed') return !this.#stopping.signal.aborted
      this.#refused.shift()
      this.#settle(line, outcome)
    }
    return true
  }

  #settle({ text, lines }: Batch, outcome: 'accepted' | 'refused'): void {
    this.#queuedBytes -= text.length
    this.#queuedLines -= lines
    if (outcome === 'accepted') this.#sentLines += lines
    else this.#drop(lines, 'a line of the audit log is not sent: the receiver refuses it')
  }

  async #areOver(batches: readonly Batch[]): Promise<boolean> {
    for (const batch of batches) if (!(await this.#isOver(batch))) return false
    return true
  }

  #take(): Batch {
    let [text, lines] = ['', 0]
    for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
      if (text !== '' && text.length + next.text.length > mostBatchBytes) break
      this.#queue.shift()
      text += next.text
      lines += next.lines
    }
    return { text, lines }
  }

  async #outcomeOf({ text }: Batch): Promise<'accepted' | 'refused' | 'failed'> {
    const { send, log } = this.#options
    try {
      const outcome = await send(text, AbortSignal.timeout(sendTimeoutMs))
      if (this.#failuresInARow > 0) log.info('the audit log is sent again', this.#where)
      this.#failuresInARow = 0
      return outcome
    } catch (error) {
      this.#failures++
      this.#failuresInARow++
      if (this.#failuresInARow === 1) log.warn('the audit log cannot be sent', { ...this.#where, error })
      return 'failed'
    }
  }

  #pauseMs(): number {
    const { firstPauseMs: firstMs = 1_000, random } = this.#options
    return backoffMs(this.#failuresInARow, { firstMs, longestMs: longestPauseMs }, random)
  }
}

/** Of at least two lines. */
function halvesOf({ text, lines }: Batch): readonly Batch[] {
  let end = 0
  for (let count = lines >> 1; count > 0; count--) end = text.indexOf('\n', end) + 1
  const [first, second] = [text.slice(0, end), text.slice(end)]
  return [
    { text: first, lines: lines >> 1 },
    { text: second, lines: lines - (lines >> 1) },
  ]
}

function linesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
