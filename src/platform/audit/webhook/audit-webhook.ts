import { backoffMs } from '../../../base/backoff.ts'
import { Fifo } from '../../../base/concurrency/fifo.ts'
import type { Log } from '../../../base/log.ts'
import { rest, waitAtMost } from '../../../base/pause.ts'
import type { Random } from '../../../base/random.ts'

/** Sends lines as they are in the file, several at a time. Throws unless all of them were accepted. */
export type SendLines = (lines: string, signal: AbortSignal) => Promise<void>

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
      if (this.#droppedLines === 0)
        this.#options.log.warn('lines of the audit log are not sent: too many wait', this.#where)
      this.#droppedLines += lines
      return
    }
    this.#queue.push({ text, lines })
    this.#queuedBytes += text.length
    this.#queuedLines += lines
    this.#work ??= this.#sendAll().finally(() => {
      this.#work = undefined
    })
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
      const batch = this.#take()
      while (!(await this.#isSent(batch))) {
        if (this.#stopping.signal.aborted) return
        await rest(this.#pauseMs(), this.#stopping.signal)
      }
      this.#queuedBytes -= batch.text.length
      this.#queuedLines -= batch.lines
      this.#sentLines += batch.lines
    }
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

  async #isSent({ text }: Batch): Promise<boolean> {
    const { send, log } = this.#options
    try {
      await send(text, AbortSignal.timeout(sendTimeoutMs))
    } catch (error) {
      this.#failures++
      this.#failuresInARow++
      if (this.#failuresInARow === 1) log.warn('the audit log cannot be sent', { ...this.#where, error })
      return false
    }
    if (this.#failuresInARow > 0) log.info('the audit log is sent again', this.#where)
    this.#failuresInARow = 0
    return true
  }

  #pauseMs(): number {
    const { firstPauseMs: firstMs = 1_000, random } = this.#options
    return backoffMs(this.#failuresInARow, { firstMs, longestMs: longestPauseMs }, random)
  }
}

function linesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
