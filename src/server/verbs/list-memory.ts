import type { Resource } from '../../registry/contract.ts'
import type { ResponseBody } from '../http.ts'

interface Remembered {
  readonly resourceVersion: string
  readonly body: Buffer
}

const maxTotalBytes = 32 * 1024 * 1024
const maxQuestionLength = 256
/** What an entry takes besides its body: otherwise, callers could fill the memory with empty lists of many selectors. */
const overheadBytes = 1_024

/**
 * Lists as last sent. While nothing is written, informers and dashboards request the same lists again and again; a list
 * of the same resource version is sent unchanged. The oldest ones make room.
 */
export class ListMemory {
  readonly #lists = new Map<string, Remembered>()
  readonly #resourceIds = new WeakMap<Resource, number>()
  #nextId = 0
  #totalBytes = 0

  remember(resource: Resource, question: string, resourceVersion: string, make: () => ResponseBody): ResponseBody {
    if (question.length > maxQuestionLength) return make()
    const key = `${this.#idOf(resource)}|${question}`
    const known = this.#lists.get(key)
    if (known?.resourceVersion === resourceVersion) return known.body
    const body = make()
    if (known !== undefined) this.#forget(key, known)
    if (Buffer.isBuffer(body)) this.#keep(key, { resourceVersion, body })
    return body
  }

  #idOf(resource: Resource): number {
    const known = this.#resourceIds.get(resource)
    if (known !== undefined) return known
    const id = this.#nextId++
    this.#resourceIds.set(resource, id)
    return id
  }

  #keep(key: string, list: Remembered): void {
    this.#lists.set(key, list)
    this.#totalBytes += list.body.length + overheadBytes
    for (const [oldest, remembered] of this.#lists) {
      if (this.#totalBytes <= maxTotalBytes) return
      this.#forget(oldest, remembered)
    }
  }

  #forget(key: string, { body }: Remembered): void {
    this.#lists.delete(key)
    this.#totalBytes -= body.length + overheadBytes
  }
}
