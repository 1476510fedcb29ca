import type { AccessKeySpec } from '../../api/types/management.ts'
import type { RefreshIdentity, SignedOn } from '../../auth/signed-on.ts'
import { timestamp } from '../../base/clock.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { type StoredDocument, sealedBytes } from '../../registry/document.ts'
import { storeChanged } from '../../registry/stored-write.ts'
import { specOf } from '../access-keys/record/access-key.ts'
import { sealedOf, timeOf } from '../access-keys/record/key-record.ts'
import { sealedForm } from '../access-keys/record/sealed-key.ts'
import { follow } from '../follow.ts'
import { removeSession } from '../sessions/remove-session.ts'
import { hiddenOf, identityOf } from './identity.ts'

const manager = 'identity-refresh'
const tickMs = 1_000
const workers = 8

export interface IdentityRefreshParts {
  readonly keys: ResourceContext
  readonly refresh: RefreshIdentity
  /** Brings the User up to date. False: the identity leads to that user no more. */
  readonly bringUpToDate: (user: string, signedOn: SignedOn) => Promise<boolean>
  readonly intervalSeconds: number
  readonly report: ReportError
}

/**
 * Asks identity providers again about users who are signed in, each session once in an interval. A session ends when its
 * provider does not let the user in any more; when the provider cannot be asked, it goes on.
 */
export class IdentityRefresh implements Controller {
  readonly #parts: IdentityRefreshParts
  readonly #dueMs = new Map<string, number>()
  readonly #loop: Reconciler

  constructor(parts: IdentityRefreshParts) {
    this.#parts = parts
    this.#loop = new Reconciler({
      reconcile: (name, signal) => this.#refresh(name, signal),
      failed: (name, error) => parts.report(manager, name, error),
      workers,
    })
    const note = (document: StoredDocument) => this.#note(document)
    this.#loop.follow(follow(parts.keys.cache, { put: note, remove: ({ name }) => void this.#dueMs.delete(name) }))
    this.#loop.every(tickMs, () => this.tick())
  }

  tick(): void {
    const nowMs = this.#parts.keys.engine.clock.now()
    for (const [name, dueMs] of this.#dueMs) if (dueMs <= nowMs) this.#loop.add(name)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Nearly all keys are of no sign-in, and need not be read for that. */
  #note(document: StoredDocument): void {
    const lastMs = document.contains('"identityRefresh"') ? lastRefreshMs(document) : undefined
    if (lastMs === undefined) this.#dueMs.delete(document.name)
    else this.#dueMs.set(document.name, lastMs + this.#parts.intervalSeconds * 1000 * spread(document.name))
  }

  async #refresh(name: string, signal: AbortSignal): Promise<void> {
    const { keys, refresh } = this.#parts
    const claimed = await this.#claim(name)
    const signedOn = claimed && signedOnOf(claimed)
    if (claimed === undefined || signedOn === undefined) return
    const refreshed = await refresh(signedOn, signal)
    if (refreshed.outcome === 'unknown') return
    const user = specOf(claimed.object).user ?? ''
    const isKnown = refreshed.outcome === 'confirmed' && (await this.#parts.bringUpToDate(user, refreshed.signedOn))
    if (isKnown) await this.#keep(claimed, refreshed.signedOn)
    else await removeSession(keys, name, claimed.object.metadata.uid)
  }

  /**
   * Says that it was asked before it is: a refresh token may be good once, and the replica whose write comes first is the one
   * that uses it.
   */
  async #claim(name: string): Promise<StoredDocument | undefined> {
    const { keys } = this.#parts
    const nowMs = keys.engine.clock.now()
    const document = keys.cache.get({ namespace: '', name })
    if (document === undefined || (this.#dueMs.get(name) ?? Number.POSITIVE_INFINITY) > nowMs) return undefined
    const spec = specOf(document.object)
    const identity = { ...spec.identity, identityRefresh: timestamp(nowMs) }
    const stored = await storeChanged(keys, document, { ...document.object, spec: { ...spec, identity } })
    return stored.outcome === 'written' ? stored.document : undefined
  }

  /** What is kept for the next time must not be lost to another write. */
  async #keep(claimed: StoredDocument, signedOn: SignedOn): Promise<void> {
    const { keys } = this.#parts
    const { uid } = claimed.object.metadata
    let current: StoredDocument | undefined = claimed
    while (current !== undefined && current.object.metadata.uid === uid) {
      const before = sealedOf(current)
      if (before === undefined) return
      const identity = identityOf(signedOn, keys.engine.clock.now())
      const spec: AccessKeySpec = { ...specOf(current.object), identity }
      const sealed = sealedBytes(sealedForm({ ...before, ...hiddenOf(signedOn) }))
      const stored = await storeChanged(keys, current, { ...current.object, spec }, sealed)
      current = stored.outcome === 'written' ? undefined : stored.current
    }
  }
}

/** Undefined: there is nothing to ask the provider with. */
function lastRefreshMs(document: StoredDocument): number | undefined {
  if (document.object.metadata.deletionTimestamp !== undefined) return undefined
  if (sealedOf(document)?.connectorData === undefined) return undefined
  return timeOf(specOf(document.object).identity?.identityRefresh)
}

function signedOnOf(document: StoredDocument): SignedOn | undefined {
  const { identity } = specOf(document.object)
  const connectorData = sealedOf(document)?.connectorData
  if (identity === undefined || connectorData === undefined) return undefined
  const { connector = '', userId = '', username = '', preferredUsername, email, groups = [] } = identity
  return {
    connector,
    userId,
    username,
    emailVerified: identity.emailVerified === true,
    groups,
    extraClaims: JSON.parse(JSON.stringify(identity.extraClaims ?? {})),
    connectorData,
    ...(preferredUsername === undefined ? {} : { preferredUsername }),
    ...(email === undefined ? {} : { email }),
  }
}

/** Between 0.8 and 1, by the name: sessions that began together are not refreshed together. */
function spread(name: string): number {
  let sum = 0
  for (let at = 0; at < name.length; at += 1) sum = (sum * 31 + name.charCodeAt(at)) % 1_000
  return 1 - sum / 5_000
}
