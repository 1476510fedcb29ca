import type { AuditEntry } from '../../audit/trail/entry.ts'

interface Source {
  readonly from: string
  readonly userAgent: string
  /** Entries arrive newest first, so the first one sets it. */
  readonly last: string
  requests: number
}

const mostSources = 100

/** Counts the uses of a key by client: its address and the User-Agent that it sends. */
export class SourceCounter {
  readonly #sources = new Map<string, Source>()

  count({ source: from, userAgent, time: last }: AuditEntry): void {
    const id = JSON.stringify([from, userAgent])
    const known = this.#sources.get(id)
    if (known !== undefined) known.requests += 1
    else if (this.#sources.size < mostSources) this.#sources.set(id, { from, userAgent, last, requests: 1 })
  }

  list(): readonly Source[] {
    return [...this.#sources.values()].sort((a, b) => b.requests - a.requests)
  }
}
