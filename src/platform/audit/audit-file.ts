import { appendFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { ignoreMissingFile } from '../../base/files/missing-file.ts'
import type { AuditChain } from './chain/audit-chain.ts'
import { endOfFile } from './chain/end-of-file.ts'

export interface AuditFileOptions {
  readonly file: string
  /** Above this size, the file is renamed to `FILE.1`, the previous one to `FILE.2`, and so on. */
  readonly maxBytes?: number | undefined
  readonly maxFiles?: number | undefined
  /** How much to buffer while the file cannot be written; further lines are lost. */
  readonly maxKeptBytes?: number
  /** Absent: lines are written unchanged. */
  readonly chain?: AuditChain | undefined
  /** Receives the lines as written to the file. */
  readonly onWritten?: (text: string) => void
  readonly onFailure: (error: unknown) => void
  /** Called when the file can be written again, with the number of lost lines. */
  readonly onRecovery: (lostLines: number) => void
}

interface Entry {
  readonly line: string
  /**
   * Notifies the request that waits for the line. Absent: no request waits, so the line is kept until it can be
   * written.
   */
  readonly settle?: (error?: unknown) => void
}

const flushMs = 200
const retryMs = 500

/**
 * Appends lines to a file of limited size, in the background and many lines at a time. Failed writes are retried until
 * they succeed.
 */
export class AuditFile {
  readonly #options: AuditFileOptions
  readonly #file: string
  readonly #maxBytes: number
  readonly #maxFiles: number
  readonly #maxKeptBytes: number
  #entries: Entry[] = []
  #keptBytes = 0
  #bytes: number | undefined
  /** Ends a partial line that a crash left behind. */
  #first = ''
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> | undefined
  #failure: unknown
  #isFailing = false
  #lostSinceFailure = 0
  #lostLines = 0

  constructor(options: AuditFileOptions) {
    this.#options = options
    this.#file = options.file
    this.#maxBytes = options.maxBytes ?? 100 * 1024 * 1024
    this.#maxFiles = options.maxFiles ?? 5
    this.#maxKeptBytes = options.maxKeptBytes ?? 4 * 1024 * 1024
  }

  /** The error of the last write, if it failed. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#isFailing ? { error: this.#failure } : undefined
  }

  /** Lines lost since the start. */
  get lostLines(): number {
    return this.#lostLines
  }

  /** Queues a line to be written soon. */
  add(line: string): void {
    this.#push({ line })
    this.#timer ??= setTimeout(() => void this.flush(), this.#isFailing ? retryMs : flushMs)
  }

  /** Resolves when the line is in the file. Rejects when it cannot be written; the line is then dropped. */
  write(line: string): Promise<void> {
    if (this.#isFailing) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#push({ line, settle: (error) => (error === undefined ? resolve() : reject(error)) })
      void this.flush()
    })
  }

  /** Resolves when all lines added so far are in the file, or have failed to be written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#work ??= this.#writeAll().then(() => {
      this.#work = undefined
      return this.#entries.length > 0 && !this.#isFailing ? this.flush() : undefined
    })
    return this.#work
  }

  async #writeAll(): Promise<void> {
    while (this.#entries.length > 0) {
      const entries = this.#entries.splice(0)
      this.#keptBytes = 0
      try {
        await this.#append(entries.map(({ line }) => line))
      } catch (error) {
        return this.#fail(entries, error)
      }
      for (const { settle } of entries) settle?.()
      this.#recover()
    }
    this.#recover()
  }

  #fail(entries: readonly Entry[], error: unknown): void {
    const later = this.#entries.splice(0)
    this.#keptBytes = 0
    const hasFailed = this.#isFailing
    this.#isFailing = true
    this.#failure = error
    for (const entry of [...entries, ...later]) {
      if (entry.settle === undefined) this.#push(entry)
      else entry.settle(error)
    }
    this.#timer ??= setTimeout(() => void this.flush(), retryMs).unref()
    if (!hasFailed) this.#options.onFailure(error)
  }

  #recover(): void {
    if (!this.#isFailing) return
    this.#isFailing = false
    this.#failure = undefined
    const lost = this.#lostSinceFailure
    this.#lostSinceFailure = 0
    this.#options.onRecovery(lost)
  }

  #push(entry: Entry): void {
    this.#keptBytes += entry.line.length
    if (this.#isFailing && this.#keptBytes > this.#maxKeptBytes) {
      this.#keptBytes -= entry.line.length
      this.#lostSinceFailure++
      this.#lostLines++
      return
    }
    this.#entries.push(entry)
  }

  async #append(lines: readonly string[]): Promise<void> {
    this.#bytes ??= await this.#open()
    const linked = this.#options.chain?.link(lines) ?? { text: lines.join(''), written: () => {} }
    const text = this.#first + linked.text
    const length = Buffer.byteLength(text)
    if (this.#bytes > 0 && this.#first === '' && this.#bytes + length > this.#maxBytes) {
      await this.#setAside()
      this.#bytes = 0
    }
    await this.#appendWhole(text, this.#bytes)
    this.#bytes += length
    this.#first = ''
    linked.written()
    this.#options.onWritten?.(linked.text)
  }

  async #appendWhole(text: string, before: number): Promise<void> {
    try {
      await appendFile(this.#file, text, { mode: 0o600 })
    } catch (error) {
      // A part may have been written. It is cut off and written again as a whole; if that fails, the size is read anew.
      await truncate(this.#file, before).catch(() => {
        this.#bytes = undefined
      })
      throw error
    }
  }

  async #open(): Promise<number> {
    makeDirectory(dirname(this.#file))
    const { chain } = this.#options
    if (chain !== undefined) {
      chain.continueAfter(await endOfFile(`${this.#file}.1`))
      this.#first = chain.continueAfter(await endOfFile(this.#file))
    }
    return stat(this.#file).then(
      ({ size }) => size,
      () => 0,
    )
  }

  async #setAside(): Promise<void> {
    await rm(`${this.#file}.${this.#maxFiles}`, { force: true })
    for (let number = this.#maxFiles - 1; number >= 1; number -= 1) {
      await rename(`${this.#file}.${number}`, `${this.#file}.${number + 1}`).catch(ignoreMissingFile)
    }
    await rename(this.#file, `${this.#file}.1`)
  }
}
