import type { KeyUse, RecordedUse } from '../contract.ts'
import { withoutKeys } from '../redact.ts'
import { covers, foldedTo, isFolded } from './fold-uses.ts'
import { mostUsesPerKey } from './merge-uses.ts'
import { type SharedUse, SharedUses } from './shared-uses.ts'

interface KeyLog {
  readonly sinceMs: number
  readonly lastMs: Map<SharedUse, number>
  /** A shortcut, because most keys repeat the same use. */
  latest: SharedUse | undefined
  folded: readonly SharedUse[]
}

export interface UsageLogLimits {
  /** How long uses wait here. */
  readonly waitMs: number
  /** If there are more uses in total, those waiting longest are due early. */
  readonly mostInAll: number
}

/** Uses of keys, each with its latest time, until they are stored. */
export class UsageLog {
  readonly #limits: UsageLogLimits
  readonly #uses = new SharedUses()
  /** Longest waiting first. */
  readonly #logs = new Map<string, KeyLog>()
  #size = 0

  constructor(limits: UsageLogLimits) {
    this.#limits = limits
  }

  record(uid: string, use: KeyUse, nowMs: number): void {
    const log = this.#logs.get(uid) ?? this.#begin(uid, nowMs)
    const shared = log.latest !== undefined && isSame(log.latest.use, use) ? log.latest : this.#find(log, use)
    log.latest = shared
    this.#set(log, shared, nowMs)
    if (log.lastMs.size > mostUsesPerKey) this.#fold(log)
  }

  of(uid: string): readonly RecordedUse[] {
    const log = this.#logs.get(uid)
    return log === undefined ? [] : usesOf(log).map(presentable)
  }

  /** Keys whose uses must be stored now. */
  due(nowMs: number): readonly string[] {
    const due: string[] = []
    let left = this.#size
    for (const [uid, { sinceMs, lastMs }] of this.#logs) {
      if (nowMs < sinceMs + this.#limits.waitMs && left <= this.#limits.mostInAll) break
      due.push(uid)
      left -= lastMs.size
    }
    return due
  }

  uids(): readonly string[] {
    return [...this.#logs.keys()]
  }

  /** Removes and returns the uses of the key. */
  take(uid: string): readonly RecordedUse[] {
    const uses = this.of(uid)
    this.forget(uid)
    return uses
  }

  /** Puts uses back that could not be stored. */
  putBack(uid: string, uses: readonly RecordedUse[], nowMs: number): void {
    const log = this.#logs.get(uid) ?? this.#begin(uid, nowMs)
    for (const { lastMs, ...use } of uses) {
      const shared = this.#find(log, use)
      this.#set(log, shared, Math.max(lastMs, log.lastMs.get(shared) ?? lastMs))
    }
    if (log.lastMs.size > mostUsesPerKey) this.#fold(log)
  }

  forget(uid: string): void {
    const log = this.#logs.get(uid)
    if (log === undefined) return
    this.#empty(log)
    this.#logs.delete(uid)
  }

  #begin(uid: string, sinceMs: number): KeyLog {
    const log = { sinceMs, lastMs: new Map<SharedUse, number>(), latest: undefined, folded: [] }
    this.#logs.set(uid, log)
    return log
  }

  #set(log: KeyLog, shared: SharedUse, lastMs: number): void {
    const before = log.lastMs.size
    log.lastMs.set(shared, lastMs)
    if (log.lastMs.size === before) return
    shared.holders++
    this.#size++
  }

  #find(log: KeyLog, use: KeyUse): SharedUse {
    return log.folded.find((folded) => covers(folded.use, use)) ?? this.#uses.find(use)
  }

  #fold(log: KeyLog): void {
    const uses = foldedTo(mostUsesPerKey, usesOf(log))
    this.#empty(log)
    for (const { lastMs, ...use } of uses) this.#set(log, this.#uses.find(use), lastMs)
    log.folded = [...log.lastMs.keys()].filter((shared) => isFolded(shared.use))
  }

  #empty(log: KeyLog): void {
    for (const shared of log.lastMs.keys()) this.#uses.release(shared)
    this.#size -= log.lastMs.size
    log.lastMs.clear()
    log.latest = undefined
    log.folded = []
  }
}

function usesOf({ lastMs }: KeyLog): readonly RecordedUse[] {
  return [...lastMs].map(([{ use }, ms]) => ({ ...use, lastMs: ms }))
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

/** A client may have sent a key in place of a name. Checked here instead of with every request. */
function presentable(use: RecordedUse): RecordedUse {
  return {
    ...use,
    group: withoutKeys(use.group),
    resource: withoutKeys(use.resource),
    namespace: withoutKeys(use.namespace),
    name: withoutKeys(use.name),
    path: withoutKeys(use.path),
    target: withoutKeys(use.target),
  }
}
