import type { KeyUsage, KeyUse, RecordedUse } from './contract.ts'

const maxUsesPerKey = 64

interface SharedUse {
  readonly text: string
  readonly use: KeyUse
  holders: number
}

interface KeyLog {
  readonly lastMs: Map<SharedUse, number>
  /** Most keys do the same thing over and over. */
  latest: SharedUse | undefined
  complete: boolean
}

/** What each key did and when it last did so, up to a bound per key; the longest unused is forgotten first. */
export class UsageLog {
  /** Many keys do the same. */
  readonly #uses = new Map<string, SharedUse>()
  readonly #logs = new Map<string, KeyLog>()

  record(uid: string, use: KeyUse, nowMs: number): void {
    const log = this.#logs.get(uid) ?? this.#begin(uid)
    const shared = log.latest !== undefined && isSame(log.latest.use, use) ? log.latest : this.#hold(log, use)
    log.latest = shared
    log.lastMs.set(shared, nowMs)
  }

  #begin(uid: string): KeyLog {
    const log = { lastMs: new Map<SharedUse, number>(), latest: undefined, complete: true }
    this.#logs.set(uid, log)
    return log
  }

  #hold(log: KeyLog, use: KeyUse): SharedUse {
    const shared = this.#sharedUse(use)
    if (log.lastMs.has(shared)) return shared
    if (log.lastMs.size >= maxUsesPerKey) this.#forgetOldest(log)
    shared.holders++
    return shared
  }

  of(uid: string): KeyUsage {
    const log = this.#logs.get(uid)
    if (log === undefined) return { uses: [], complete: true }
    const uses: RecordedUse[] = [...log.lastMs].map(([{ use }, lastMs]) => ({ ...use, lastMs }))
    return { uses: uses.sort((a, b) => b.lastMs - a.lastMs), complete: log.complete }
  }

  forget(uid: string): void {
    for (const shared of this.#logs.get(uid)?.lastMs.keys() ?? []) this.#release(shared)
    this.#logs.delete(uid)
  }

  #sharedUse(use: KeyUse): SharedUse {
    const text = textOf(use)
    const known = this.#uses.get(text)
    if (known !== undefined) return known
    const shared = { text, use: copied(use), holders: 0 }
    this.#uses.set(text, shared)
    return shared
  }

  #forgetOldest(log: KeyLog): void {
    let oldest: SharedUse | undefined
    let oldestMs = Number.POSITIVE_INFINITY
    for (const [shared, lastMs] of log.lastMs) if (lastMs < oldestMs) [oldest, oldestMs] = [shared, lastMs]
    if (oldest === undefined) return
    log.lastMs.delete(oldest)
    log.complete = false
    this.#release(oldest)
  }

  #release(shared: SharedUse): void {
    shared.holders--
    if (shared.holders === 0) this.#uses.delete(shared.text)
  }
}

function isSame(left: KeyUse, right: KeyUse): boolean {
  return (
    left.name === right.name &&
    left.verb === right.verb &&
    left.resource === right.resource &&
    left.namespace === right.namespace &&
    left.group === right.group &&
    left.path === right.path &&
    left.target === right.target
  )
}

/** None of the parts has a line break, except where somebody asks for nonsense. */
function textOf({ verb, group, resource, namespace, name, path, target }: KeyUse): string {
  return `${verb}\n${group}\n${resource}\n${namespace}\n${name}\n${path}\n${target}`
}

/** Texts of their own, so that no piece keeps the whole request line in memory. */
function copied(use: KeyUse): KeyUse {
  return JSON.parse(JSON.stringify(use))
}
