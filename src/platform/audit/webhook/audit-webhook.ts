import { backoffMs } from '../../../base/backoff.ts'
import { Fifo } from '../../../base/concurrency/fifo.ts'
import type { Log } from '../../../base/log.ts'
import { rest, waitAtMost } from '../../../base/pause.ts'
import type { Random } from '../../../base/random.ts'

/**
 * Sends lines as they are in the file, several at a time. `too-large`: the server would accept fewer at once. Throws
 * unless all of them were accepted.
 */
export type SendLines = (lines: string, signal: AbortSignal) => Promise<'accepted' | 'too-large'>

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

/** Sends lines to another server in the background; no request ever waits for it. */
export class AuditWebhook {
  readonly #options: AuditWebhookOptions
  readonly #queue = new Fifo<Batch>()
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
   * Whether the lines need not be sent again. A server may limit what it accepts at once to less than a batch, which
   * would never get through: it gets halves of it instead, down to a line.
   */
  async #isOver(batch: Batch): Promise<boolean> {
    for (;;) {
      const outcome = await this.#outcomeOf(batch)
      if (outcome === 'too-large') {
        if (batch.lines > 1) return this.#areOver(halvesOf(batch))
        this.#drop(batch.lines, 'a line of the audit log is not sent: the receiver says that it is too large')
      }
      if (outcome !== 'failed') {
        this.#queuedBytes -= batch.text.length
        this.#queuedLines -= batch.lines
        if (outcome === 'accepted') this.#sentLines += batch.lines
        return true
      }
      if (this.#stopping.signal.aborted) return false
      await rest(this.#pauseMs(), this.#stopping.signal)
    }
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

  async #outcomeOf({ text }: Batch): Promise<'accepted' | 'too-large' | 'failed'> {
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
