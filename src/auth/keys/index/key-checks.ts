import { hash as digest } from 'node:crypto'
import type { AccessKeyScope } from '../../../api/types/management.ts'
import type { KeyCheck, KeyHash, StartedWith } from '../contract.ts'
import { isMistyped } from '../values/key-value.ts'
import { endMs, isConnectionKey, type KeyEntry, nearEndMs, type PreviousEntry } from './key-entry.ts'
import { digestOf, type KeyTable } from './key-table.ts'

type StartingKey = Extract<StartedWith, { readonly kind: 'key' }>

const unknown: KeyCheck = { state: 'unknown' }

/**
 * Decides whether keys and sessions are valid, and until when. For a session, the credential it was started with
 * counts, too.
 */
export class KeyChecks<Source> {
  readonly #keys: KeyTable<Source>
  readonly #maxLifetimeSeconds: number
  #latestMs = 0

  constructor(keys: KeyTable<Source>, maxLifetimeSeconds: number) {
    this.#keys = keys
    this.#maxLifetimeSeconds = maxLifetimeSeconds
  }

  check(token: string, clockMs: number): KeyCheck {
    const nowMs = this.#onward(clockMs)
    if (isMistyped(token)) return unknown
    const row = this.#keys.rowOf(digest('sha256', token, 'binary'))
    const key = row < 0 ? undefined : this.#keys.atRow(row)
    if (key === undefined) return unknown
    if (isConnectionKey(key)) return this.checkedSession(key, nowMs)
    if (key.session !== undefined) return unknown
    return this.#checked(key, row === key.row ? undefined : key.previous, nowMs)
  }

  #checked(key: KeyEntry, previous: PreviousEntry | undefined, nowMs: number): KeyCheck {
    if (previous !== undefined && nowMs >= previous.validUntilMs) return unknown
    if (key.state === 'deleted' || key.state === 'disabled') return { state: key.state, key }
    const end = endMs(key, this.#maxLifetimeSeconds)
    if (nowMs >= end || key.hasExpired) return { state: 'expired', key }
    const value = { which: previous === undefined ? 'current' : 'previous', keyId: (previous ?? key).keyId } as const
    return nowMs < nearEndMs(key, end)
      ? { state: 'valid', key, value }
      : { state: 'valid', key, value, endsSoonMs: end }
  }

  checkSession(hash: KeyHash, clockMs: number): KeyCheck {
    const nowMs = this.#onward(clockMs)
    const row = this.#keys.rowOf(digestOf(hash))
    const session = row < 0 ? undefined : this.#keys.atRow(row)
    return session === undefined || isConnectionKey(session) ? unknown : this.checkedSession(session, nowMs)
  }

  checkedSession(session: KeyEntry, nowMs: number): KeyCheck {
    if (session.session === undefined) return unknown
    const start = this.#checkedOrigin(session, session.session.startedWith, nowMs)
    return start === undefined || start.state === 'valid' ? this.#checked(session, undefined, nowMs) : start
  }

  /** Checks what a session ends with; undefined if that is not known here. */
  #checkedOrigin(session: KeyEntry, startedWith: StartedWith, nowMs: number): KeyCheck | undefined {
    switch (startedWith.kind) {
      case 'key':
        return this.#checkedStart(session, startedWith, nowMs)
      case 'identity':
        return startedWith.session === undefined ? undefined : this.#checkedParent(startedWith.session, nowMs)
      case 'token':
        return undefined
    }
  }

  #checkedParent(uid: string, nowMs: number): KeyCheck {
    const parent = this.#keys.get(uid)
    return parent?.session === undefined ? unknown : this.#checked(parent, undefined, nowMs)
  }

  /** Checks the key that a session was started with. */
  #checkedStart(session: KeyEntry, { uid, keyId }: StartingKey, nowMs: number): KeyCheck {
    const key = this.#keys.get(uid)
    const isSame = key !== undefined && key.session === undefined && reachesAsFar(key, session)
    if (!isSame || !hasValue(key, keyId)) return unknown
    return this.#checked(key, key.keyId === keyId ? undefined : key.previous, nowMs)
  }

  /** Setting the clock back does not revive what has expired. */
  #onward(clockMs: number): number {
    this.#latestMs = Math.max(clockMs, this.#latestMs)
    return this.#latestMs
  }

  /** The end of a key; for a session, at most that of the key it was started with. */
  endMs(entry: KeyEntry): number {
    const own = endMs(entry, this.#maxLifetimeSeconds)
    const startedWith = entry.session?.startedWith
    const key = startedWith?.kind === 'key' ? this.#keys.get(startedWith.uid) : undefined
    return key === undefined ? own : Math.min(own, endMs(key, this.#maxLifetimeSeconds))
  }

  /** Whether connections opened with a value may stay open. */
  isGood(entry: KeyEntry, keyId: string): boolean {
    const isLive = entry.state === 'enabled' && entry.announcedMs !== endMs(entry, this.#maxLifetimeSeconds)
    if (!isLive || !hasValue(entry, keyId)) return false
    const startedWith = entry.session?.startedWith
    if (startedWith?.kind !== 'key') return true
    const key = this.#keys.get(startedWith.uid)
    return key !== undefined && reachesAsFar(key, entry) && this.isGood(key, startedWith.keyId)
  }
}

function hasValue({ keyId, previous }: KeyEntry, wanted: string): boolean {
  return wanted === keyId || wanted === previous?.keyId
}

/** Whether the key would still start the same session. Equal parts of keys are the same objects. */
function reachesAsFar(key: KeyEntry, session: KeyEntry): boolean {
  return key.owner === session.owner && key.groups === session.groups && isWithinScopeOf(key, session)
}

/** A connection key reaches less far than its key, whose scope must be unchanged. */
function isWithinScopeOf({ scope }: KeyEntry, session: KeyEntry): boolean {
  const within = session.session?.connectionWithin
  return within === undefined ? scope === session.scope : within === scopeText(scope?.source)
}

/** The form used in `connectionWithin`. */
export function scopeText(scope: AccessKeyScope | undefined): string {
  return scope === undefined ? '' : JSON.stringify(scope)
}
