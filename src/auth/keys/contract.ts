import type { KeyScope } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'

/** SHA-256 of a key's value in base64url: the only part of it that is ever stored. */
export type KeyHash = string

/** The owner that a key acts for. */
export interface KeyOwner {
  readonly kind: 'user' | 'team' | 'subject'
  readonly name: string
}

/** The facts about a stored access key that the index needs. There is no field for the plain value. */
export interface KeyRecord {
  readonly name: string
  readonly uid: string
  /** The public part of the current value. */
  readonly keyId: string
  readonly hash: KeyHash
  /** The previous value, while both values are accepted. */
  readonly previous?: PreviousValue | undefined
  readonly owner: KeyOwner
  /** Groups of the key itself, besides those of its owner. */
  readonly groups: readonly string[]
  readonly type: string
  readonly disabled: boolean
  readonly deletionRequested: boolean
  readonly createdAtMs: number
  /** When the current value was made, from which the server-wide maximum counts. Absent: `createdAtMs`. */
  readonly issuedAtMs?: number
  /** 0: no end of its own. */
  readonly ttlSeconds: number
  /** Whether the time to live counts from the last activity instead of from creation. */
  readonly ttlAfterLastActivity: boolean
  /** Whether the key was seen to expire. It stays expired whatever the clock says, unless its lifetime is changed. */
  readonly hasExpired?: boolean
  /** As stored; the index may know a later one. */
  readonly lastActivityMs?: number | undefined
  readonly scope?: AccessKeyScope | undefined
  /** Present only for sessions. */
  readonly session?: SessionOrigin | undefined
}

/** What makes a key a session: it ends when the credential it was started with is no longer valid. */
export interface SessionOrigin {
  readonly startedWith: StartedWith
  /** When the session ends, however much it is used. */
  readonly latestEndMs: number
  /**
   * For a connection key, which is a bearer token: the scope of the key it was made with, as JSON, or an empty text if
   * that has none. Absent: the session is identified by its two halves, and no value of it is a bearer token.
   */
  readonly connectionWithin?: string
}

/** The credential that a session was started with. The session ends when that credential is no longer valid. */
export type StartedWith =
  /** A value of an access key. */
  | { readonly kind: 'key'; readonly uid: string; readonly keyId: string }
  /** A token that servers are started with, by its hash. */
  | { readonly kind: 'token'; readonly hash: string }
  /**
   * An identity at a provider. `session`, for a refresh token: uid of the session in which the user got it, which asks
   * the provider again.
   */
  | { readonly kind: 'identity'; readonly connector: string; readonly session?: string }

export interface PreviousValue {
  readonly keyId: string
  readonly hash: KeyHash
  readonly validUntilMs: number
}

/** A key in the index. State that changes with use is looked up in the index by uid. */
export interface KnownKey {
  readonly name: string
  readonly uid: string
  readonly keyId: string
  readonly owner: KeyOwner
  readonly groups: readonly string[]
  readonly type: string
  /** Compiled once for all keys with the same scope. Absent: everything the owner may do. */
  readonly scope: KeyScope | undefined
  /** Absent: not a session. */
  readonly session: SessionOrigin | undefined
}

/** A stored key that has not been used yet: the facts needed to find it and to notice its end. */
export interface DormantKey {
  readonly uid: string
  readonly hash: KeyHash
  /** The last part of its life does not begin before this time. Infinity: it never ends. */
  readonly asleepUntilMs: number
}

/** Keys that exist at the start, up to a million, of which few are used soon. */
export interface DormantKeys<Source> {
  /**
   * The first call about the key reads it from the source; from then on it is like any other key. False if its value or
   * its uid is already present; in that case, or if it has a previous value, it must be added with `upsert`.
   */
  addDormant(key: DormantKey, source: Source): boolean
}

/**
 * The result of checking a token. `unknown` covers tokens that never were keys, a wrong checksum, and a value that a
 * rotation has ended: the caller must not learn which. In the other states the secret matched, so the caller may be
 * told. `endsSoonMs`: when the key ends, if it is in the last part of its life.
 */
export type KeyCheck =
  | { readonly state: 'valid'; readonly key: KnownKey; readonly value: UsedValue; readonly endsSoonMs?: number }
  | { readonly state: 'disabled' | 'expired' | 'deleted'; readonly key: KnownKey }
  | { readonly state: 'unknown' }

/** Which value of a key was presented. */
export interface UsedValue {
  readonly which: 'current' | 'previous'
  readonly keyId: string
}

/** Why connections opened with a key are cut. */
export type RevocationReason =
  | 'disabled'
  | 'deleted'
  | 'expired'
  | 'scope-changed'
  | 'owner-changed'
  | 'owner-locked'
  | 'owner-gone'
  | 'value-replaced'

/** Activity that must be written to the store. */
export interface DueFlush {
  readonly uid: string
  readonly name: string
  readonly lastActivityMs: number
  readonly lastUsedFrom: string
}

/** A key or value that has expired. */
export interface DueExpiry {
  readonly uid: string
  readonly name: string
  /** `value`: the overlap of a rotation has ended; the key itself continues. */
  readonly what: 'key' | 'value'
}

/** A key that ends soon. */
export interface NearEnd {
  readonly uid: string
  readonly name: string
  readonly endMs: number
}

/** A client that still uses the previous value after a rotation. */
export interface PreviousUser {
  readonly from: string
  readonly userAgent: string
  readonly lastActivityMs: number
}

/**
 * One use of a key, for proposing a narrower scope. `name` is kept only for the platform's own objects. `*` stands for
 * any value, where several uses were folded into one.
 */
export interface KeyUse {
  readonly verb: string
  /** `resource` or `resource/subresource` of a group, or the path of a request that is not about objects. */
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
  /** `management`, `cluster/C`, `project/P/space/S` or `project/P/virtualcluster/V`. */
  readonly target: string
}

export interface RecordedUse extends KeyUse {
  readonly lastMs: number
}

export interface KeyUsage {
  /** Latest first. */
  readonly uses: readonly RecordedUse[]
  /** False when uses were folded together to stay within the limit. They still cover everything. */
  readonly complete: boolean
}

/** The possible owners of keys. Asked for every request, so it answers from memory. */
export interface OwnerDirectory {
  user(name: string): OwnerState | undefined
  team(name: string): OwnerState | undefined
}

/** The same object as long as nothing changes. */
export interface OwnerState {
  /**
   * The name that permissions are granted to: `spec.subject` of a user or `spec.username` of a team, else the object's
   * name.
   */
  readonly subject: string
  readonly uid?: string
  readonly groups: readonly string[]
  /** Names of the teams that a user is in; empty for a team. */
  readonly teams: readonly string[]
  readonly locked: boolean
}

/** One value of a key. */
export interface KeyValueName {
  readonly uid: string
  readonly keyId: string
}

/** Every access key in memory. Fed in the order of the store's change stream; it neither waits nor writes. */
export interface KeyIndex {
  readonly size: number
  /** Stores the record, and aborts the signals that the change voids. */
  upsert(record: KeyRecord): void
  remove(uid: string): void
  find(uid: string): KnownKey | undefined
  /** Like `find`, but cheap for dormant keys. Very rarely, a deleted key is mistaken for one of those. */
  has(uid: string): boolean
  /** The key that has the value with this hash; a value that a caller brings must not be taken twice. */
  ownerOfHash(hash: KeyHash): KnownKey | undefined
  /**
   * A session is unknown, because it is not a bearer token, unless it is a connection key. If a connection key is
   * refused, the result may name the key it was made with.
   */
  check(token: string, nowMs: number): KeyCheck
  /**
   * The session whose halves have the hash. In all states but `valid`, the key is the one responsible: the session, or
   * the key it was started with. Whether a token that started a session is still valid is not decided here.
   */
  checkSession(hash: KeyHash, nowMs: number): KeyCheck
  /**
   * Sessions that act for an owner, including ended ones that are not deleted yet. Connection keys are not included.
   */
  sessionsOf(owner: KeyOwner): readonly KnownKey[]
  connectionKeysOf(owner: KeyOwner): readonly KnownKey[]
  /** Sessions that have ended for good and may be deleted. Each is returned once. */
  takeEndedSessions(nowMs: number): readonly KnownKey[]
  /** Sessions that have ended, whenever that was. */
  endedSessions(nowMs: number): readonly KnownKey[]
  /** Undefined: never. Exact, and includes activity that is not stored yet. A session ends with its key. */
  expiresAtMs(uid: string): number | undefined

  /** Records a use of the key. True when it must be written soon: see `dueFlushes`. */
  touch(uid: string, nowMs: number, from: string): boolean
  lastActivityMs(uid: string): number | undefined
  lastUsedFrom(uid: string): string | undefined
  /** Activity to write now. Each is returned once: after a failed write, give it back with `touch`. */
  dueFlushes(nowMs: number): readonly DueFlush[]
  /** All activity that is not stored, for a shutdown. */
  allFlushes(nowMs: number): readonly DueFlush[]
  notePreviousUser(uid: string, nowMs: number, from: string, userAgent: string): void
  previousUsers(uid: string): readonly PreviousUser[]

  /**
   * Aborts when the value of the key is no longer valid; created on first use. `madeWith`: it also aborts with that
   * value.
   */
  revokedSignal(uid: string, keyId: string, madeWith?: KeyValueName): AbortSignal
  /** Whether that signal would be aborted. Creates none. */
  isRevoked(uid: string, keyId: string, madeWith?: KeyValueName): boolean
  /** Whether a key may have open connections. */
  readonly hasOpen: boolean
  /** Cuts the connections of all keys; a signal that is requested before `resume` aborts at once. */
  suspend(): void
  resume(): void
  /** Owners of keys with open connections. */
  openOwners(): readonly KeyOwner[]
  /** Cuts the connections of an owner's keys: call it when a user or team was locked, deleted or changed. */
  ownerChanged(owner: KeyOwner, reason: 'owner-locked' | 'owner-gone' | 'owner-changed'): void

  /**
   * Everything that has expired by now, each once, with its signals aborted. Of dormant keys, which have no
   * connections, each call returns a limited number; the next call continues.
   */
  takeExpired(nowMs: number): readonly DueExpiry[]
  /** Keys for which `takeExpired` saw the last part of their life begin, once for each end. */
  takeNearEnds(): readonly NearEnd[]
}

export interface KeyIndexOptions {
  readonly compileScope: (scope: AccessKeyScope) => KeyScope | undefined
  /** Caps the life of every key, counted from when its value was made. 0 or absent: no cap. */
  readonly maxLifetimeSeconds?: number
}
