import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface AuditFileOptions {
  readonly file: string
  /** Beyond this the file is set aside as `FILE.1`, that as `FILE.2`, and so on. */
  readonly maxBytes?: number
  readonly maxFiles?: number
  readonly onError: (error: unknown) => void
}

const flushMs = 200

/** Lines appended to a file that never grows beyond a limit. Writing happens beside the requests, many lines at a time. */
export class AuditFile {
  readonly #file: string
  readonly #maxBytes: number
  readonly #maxFiles: number
  readonly #onError: (error: unknown) => void
  #lines: string[] = []
  #bytes: number | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor({ file, maxBytes = 100 * 1024 * 1024, maxFiles = 5, onError }: AuditFileOptions) {
    this.#file = file
    this.#maxBytes = maxBytes
    this.#maxFiles = maxFiles
    this.#onError = onError
  }

  add(line: string): void {
    this.#lines.push(line)
    this.#timer ??= setTimeout(() => void this.flush(), flushMs)
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#lines.join('')
    this.#lines = []
    if (text !== '') this.#writing = this.#writing.then(() => this.#append(text)).catch(this.#onError)
    return this.#writing
  }

  async #append(text: string): Promise<void> {
    this.#bytes ??= await this.#open()
    const length = Buffer.byteLength(text)
    if (this.#bytes > 0 && this.#bytes + length > this.#maxBytes) {
      await this.#setAside()
      this.#bytes = 0
    }
    await appendFile(this.#file, text, { mode: 0o600 })
    this.#bytes += length
  }

  async #open(): Promise<number> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 })
    return stat(this.#file).then(
      ({ size }) => size,
      () => 0,
    )
  }

  async #setAside(): Promise<void> {
    await rm(`${this.#file}.${this.#maxFiles}`, { force: true })
    for (let number = this.#maxFiles - 1; number >= 1; number -= 1) {
      await rename(`${this.#file}.${number}`, `${this.#file}.${number + 1}`).catch(ignoreMissing)
    }
    await rename(this.#file, `${this.#file}.1`)
  }
}

function ignoreMissing(error: Error): void {
  if (!('code' in error) || error.code !== 'ENOENT') throw error
}
