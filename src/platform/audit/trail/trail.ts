import { Pace } from '../../../base/pace.ts'
import { FairQueue, type Requester } from '../../../server/fairness/fair-queue.ts'
import { strangersFile } from '../audit.ts'
import { type AuditEntry, readEntry } from './entry.ts'
import { type AuditLinePosition, linesBackwards } from './lines-backwards.ts'

/** Every field that is set must match. */
export interface TrailFilter {
  /** Includes sessions that were started with the key. */
  readonly key?: string
  readonly user?: string
  readonly verb?: string
  readonly decision?: string
  readonly sinceMs?: number
  readonly untilMs?: number
}

export interface TrailPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[]
  /** Pass it to get the next page; absent on the last page. */
  readonly next?: AuditLinePosition
  /** False when the search reached its limit before the end. */
  readonly complete: boolean
}

export interface Trail {
  /** `after`: the `next` of the previous page. */
  page(asker: Requester, filter: TrailFilter, limit: number, after?: AuditLinePosition): Promise<TrailPage>
  /** Passes every matching entry to `take`, newest first. False when it reached its limit. */
  each(asker: Requester, filter: TrailFilter, take: (entry: AuditEntry) => void): Promise<boolean>
}

export interface TrailOptions {
  readonly file: string
  readonly maxFiles?: number
  /** Resolves when everything that has happened so far is in the file. */
  readonly flush: () => Promise<void>
  /** How much one query may read. */
  readonly maxBytes?: number
}

const defaultMaxBytes = 64 * 1024 * 1024

/** Reads the audit log of this replica. */
export function createTrail({ file, maxFiles = 5, flush, maxBytes = defaultMaxBytes }: TrailOptions): Trail {
  const turns = new FairQueue({
    places: 2,
    placesPerOwner: 1,
    waiting: 64,
    waitingPerOwner: 8,
    busy: 'too many are reading the audit log at the moment',
  })
  const known = [file, ...Array.from({ length: maxFiles }, (_, index) => `${file}.${index + 1}`)]
  const strangers = [strangersFile(file), `${strangersFile(file)}.1`]

  const each = async (
    filter: TrailFilter,
    after: AuditLinePosition | undefined,
    signal: AbortSignal,
    take: (entry: AuditEntry, position: AuditLinePosition) => boolean,
  ): Promise<boolean> => {
    await flush()
    const pace = new Pace()
    const marks = marksOf(filter)
    let left = maxBytes
    const files = asksForStrangers(filter) ? [...strangers, ...known] : known
    for await (const { line, position } of linesBackwards(files, after)) {
      left -= line.length
      if (left < 0 || signal.aborted) return false
      await pace.step()
      if (marks !== undefined && !marks.some((mark) => line.includes(mark))) continue
      const entry = readEntry(line)
      if (entry === undefined || !fits(entry, filter)) continue
      if (!take(entry, position)) return true
    }
    return true
  }

  const page = async (
    filter: TrailFilter,
    limit: number,
    after: AuditLinePosition | undefined,
    signal: AbortSignal,
  ): Promise<TrailPage> => {
    const entries: AuditEntry[] = []
    let last: AuditLinePosition | undefined
    let hasMore = false
    const complete = await each(filter, after, signal, (entry, position) => {
      hasMore = entries.length === limit
      if (hasMore) return false
      entries.push(entry)
      last = position
      return true
    })
    return { entries, complete, ...(hasMore && last !== undefined ? { next: last } : {}) }
  }

  return {
    each: (asker, filter, take) =>
      turns.take(asker, (signal) =>
        each(filter, undefined, signal, (entry) => {
          take(entry)
          return true
        }),
      ),
    page: (asker, filter, limit, after) => turns.take(asker, (signal) => page(filter, limit, after, signal)),
  }
}

/** Byte sequences that occur in every line about the key: searching for them is faster than parsing. */
function marksOf({ key }: TrailFilter): readonly Buffer[] | undefined {
  return key === undefined
    ? undefined
    : ['key', 'startedWith'].map((member) => Buffer.from(`"${member}":${JSON.stringify(key)}`))
}

/** Then the log of strangers comes first, followed by callers whose key is no longer valid. */
function asksForStrangers({ decision, key, user }: TrailFilter): boolean {
  return decision === 'unauthenticated' && key === undefined && user === undefined
}

/** Requests of a session count for the key that it was started with. */
function fits(entry: AuditEntry, { key, user, verb, decision, sinceMs, untilMs }: TrailFilter): boolean {
  if (key !== undefined && entry.key !== key && entry.startedWith !== key) return false
  if (user !== undefined && entry.user !== user) return false
  if (verb !== undefined && entry.verb !== verb) return false
  if (decision !== undefined && entry.decision !== decision) return false
  const ms = Date.parse(entry.time)
  return !(ms < (sinceMs ?? Number.NEGATIVE_INFINITY)) && !(ms > (untilMs ?? Number.POSITIVE_INFINITY))
}
