import type { KeyScope } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'

/** SHA-256 of a key's value in base64url: all that is ever kept of it. */
export type KeyHash = string

/** Whom a key acts for. */
export interface KeyOwner {
  readonly kind: 'user' | 'team' | 'subject'
  readonly name: string
}

/** What the index has to know of a stored access key. There is no field for the plain value. */
export interface KeyRecord {
  readonly name: string
  readonly uid: string
  /** The public part of the current value. */
  readonly keyId: string
  readonly hash: KeyHash
  /** The value before a rotation, while both are good. */
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
  /** The time to live counts from the last activity instead of from creation. */
  readonly ttlAfterLastActivity: boolean
  /** It was seen to expire. It stays so whatever the clock says, unless its life is changed. */
  readonly hasExpired?: boolean
  /** As stored; the index may know of a later one. */
  readonly lastActivityMs?: number | undefined
  readonly scope?: AccessKeyScope | undefined
  /** Only of sessions. */
  readonly session?: SessionOrigin | undefined
}

/** What makes a key a session: it is over when what it was started with is no longer good. */
export interface SessionOrigin {
  readonly startedWith: StartedWith
  /** When it ends, however much it is used. */
  readonly latestEndMs: number
  /**
   * Of a connection key, which is a bearer token: the scope of the key that it was made with, as JSON, or an empty text
   * where that has none. Absent: the session is known by its two halves, and no value of it is a bearer token.
   */
  readonly connectionWithin?: string
}

/** The credential that a session was started with. The session ends when that credential is no longer valid. */
export type StartedWith =
  /** A value of an access key. */
  | { readonly kind: 'key'; readonly uid: string; readonly keyId: string }
  /** A token that servers are started with, by its hash. */
  | { readonly kind: 'token'; readonly hash: string }
  /** An identity at a provider. `session` of a refresh token: uid of the session in which the user got it, and which asks the provider. */
  | { readonly kind: 'identity'; readonly connector: string; readonly session?: string }

export interface PreviousValue {
  readonly keyId: string
  readonly hash: KeyHash
  readonly validUntilMs: number
}

/** A key in the index. What changes with use is asked from the index by uid. */
export interface KnownKey {
  readonly name: string
  readonly uid: string
  readonly keyId: string
  readonly owner: KeyOwner
  readonly groups: readonly string[]
  readonly type: string
  /** Compiled once for all keys with the same scope. Absent: all that the owner may do. */
  readonly scope: KeyScope | undefined
  /** Absent: it is no session. */
  readonly session: SessionOrigin | undefined
}

/** A stored key that has not been used yet: what is needed to find it, and to notice its end. */
export interface DormantKey {
  readonly uid: string
  readonly hash: KeyHash
  /** Before that the last part of its life does not begin. Infinity: it has no end. */
  readonly asleepUntilMs: number
}

/** Keys that are there from the start, maybe a million, of which few are used soon. */
export interface DormantKeys<Source> {
  /**
   * The key is read from the source by the first call that is about it, and is like any other from then on. False if its
   * value or its uid is there already; then, and if it has a value before, it has to be told by `upsert`.
   */
  addDormant(key: DormantKey, source: Source): boolean
}

/**
 * What a token is. `unknown` covers what never was a key, a wrong checksum, and a value that a rotation has ended: the
 * caller must not learn which. In the other states the secret matched, so the caller may be told. `endsSoonMs`: when the
 * key ends, if it is in the last part of its life.
 */
export type KeyCheck =
  | { readonly state: 'valid'; readonly key: KnownKey; readonly value: UsedValue; readonly endsSoonMs?: number }
  | { readonly state: 'disabled' | 'expired' | 'deleted'; readonly key: KnownKey }
  | { readonly state: 'unknown' }

/** Which of a key's values was presented. */
export interface UsedValue {
  readonly which: 'current' | 'previous'
  readonly keyId: string
}

/** Why what a key had opened is cut. */
export type RevocationReason =
  | 'disabled'
  | 'deleted'
  | 'expired'
  | 'scope-changed'
  | 'owner-changed'
  | 'owner-locked'
  | 'owner-gone'
  | 'value-replaced'

/** Activity that has to be written to the store. */
export interface DueFlush {
  readonly uid: string
  readonly name: string
  readonly lastActivityMs: number
  readonly lastUsedFrom: string
}

/** Something whose time has come. */
export interface DueExpiry {
  readonly uid: string
  readonly name: string
  /** `value`: the overlap of a rotation has ended; the key itself goes on. */
  readonly what: 'key' | 'value'
}

/** A key whose end is near. */
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
 * One thing that a key did, for proposing a narrower scope. `name` is kept only of the platform's own objects. `*` stands
 * for whatever was there, where several have been folded into one.
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
  /** False when some have been folded into one to stay within the bound. They still cover everything. */
  readonly complete: boolean
}

/** Who may be behind a key. Asked for every request, so it answers from memory. */
export interface OwnerDirectory {
  user(name: string): OwnerState | undefined
  team(name: string): OwnerState | undefined
}

/** The same object as long as nothing changes. */
export interface OwnerState {
  /** Under which permissions are given: `spec.subject` of a user or `spec.username` of a team, else the object's name. */
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

/**
 * Every access key in memory. Fed in the order of the store's change stream; nothing here waits, and nothing here writes.
 */
export interface KeyIndex {
  readonly size: number
  /** Takes over the record, and aborts the signals that the change makes void. */
  upsert(record: KeyRecord): void
  remove(uid: string): void
  find(uid: string): KnownKey | undefined
  /** Like `find`, but cheap for dormant keys. Very rarely, a key that is gone is taken for one of those. */
  has(uid: string): boolean
  /** Name and uid of the key that has the value with this hash; a brought value may not be taken twice. */
  ownerOfHash(hash: KeyHash): KnownKey | undefined
  /** A session is unknown unless it is a connection key: it is no bearer token. What ends one may be the key to blame. */
  check(token: string, nowMs: number): KeyCheck
  /**
   * The session whose halves have the hash. In all states but `valid` the key is the one that is to blame: the session, or
   * the key that it was started with. What that token is good for with which a session was started is for others to say.
   */
  checkSession(hash: KeyHash, nowMs: number): KeyCheck
  /** Sessions that act for an owner, also those that are over and not gone yet. Connection keys are not among them. */
  sessionsOf(owner: KeyOwner): readonly KnownKey[]
  connectionKeysOf(owner: KeyOwner): readonly KnownKey[]
  /** Sessions that are over for good and may be taken away by now. Each is handed out once. */
  takeEndedSessions(nowMs: number): readonly KnownKey[]
  /** Sessions that are over, whenever that happened. */
  endedSessions(nowMs: number): readonly KnownKey[]
  /** Undefined: never by itself. Exact, and counts activity that is not stored yet. A session ends with its key. */
  expiresAtMs(uid: string): number | undefined

  /** Notes that the key was used. True when that has to be written soon: see `dueFlushes`. */
  touch(uid: string, nowMs: number, from: string): boolean
  lastActivityMs(uid: string): number | undefined
  lastUsedFrom(uid: string): string | undefined
  /** Activity to write now. Each is handed out once: after a failed write give it back with `touch`. */
  dueFlushes(nowMs: number): readonly DueFlush[]
  /** All activity that is not stored, for a shutdown. */
  allFlushes(nowMs: number): readonly DueFlush[]
  notePreviousUser(uid: string, nowMs: number, from: string, userAgent: string): void
  previousUsers(uid: string): readonly PreviousUser[]

  /**
   * Aborted when the value of the key is no longer good for anything; made when first asked for. `madeWith`: it aborts with that one
   * too.
   */
  revokedSignal(uid: string, keyId: string, madeWith?: KeyValueName): AbortSignal
  /** Whether a key may have something open. */
  readonly hasOpen: boolean
  /** Cuts what all keys have opened; whatever asks for a signal until `resume` is cut at once. */
  suspend(): void
  resume(): void
  /** Whose keys have something open. */
  openOwners(): readonly KeyOwner[]
  /** Cuts what the keys of an owner have opened: call it when a user or team is locked, gone or not the same any more. */
  ownerChanged(owner: KeyOwner, reason: 'owner-locked' | 'owner-gone' | 'owner-changed'): void

  /**
   * What has expired until now, each once, with its signals aborted. Of dormant keys, which have nothing open, each
   * call returns a bounded number; the next call continues.
   */
  takeExpired(nowMs: number): readonly DueExpiry[]
  /** Keys that `takeExpired` has seen come into the last part of their life, once for each end. */
  takeNearEnds(): readonly NearEnd[]
}

export interface KeyIndexOptions {
  readonly compileScope: (scope: AccessKeyScope) => KeyScope | undefined
  /** Caps every key, counted from when its value was made. 0 or absent: no cap. */
  readonly maxLifetimeSeconds?: number
}
