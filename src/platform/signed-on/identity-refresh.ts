import type { RefreshedIdentity, RefreshIdentity, SignedOn } from '../../auth/signed-on.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { specOf } from '../access-keys/record/access-key.ts'
import { followCache } from '../follow.ts'
import { removeSession } from '../sessions/remove-session.ts'
import { ProviderRest } from './provider-rest.ts'
import {
  claimRefresh,
  connectorOf,
  keepConnectorData,
  keepIdentity,
  lastRefreshMs,
  type SessionId,
  signedOnOf,
} from './signed-on-session.ts'

const manager = 'identity-refresh'
const tickMs = 1_000
/** For each connector: 100,000 sessions in 15 minutes are 140 a second, with a provider that takes 200 ms. */
const workers = 32
const longestRestMs = 60_000

export interface IdentityRefreshParts {
  readonly keys: ResourceContext
  readonly refresh: RefreshIdentity
  /** Updates the User. False: the identity no longer leads to that user. */
  readonly bringUpToDate: (user: string, signedOn: SignedOn) => Promise<boolean>
  readonly intervalSeconds: number
  readonly report: ReportError
}

interface Due {
  readonly connector: string
  readonly atMs: number
}

/** One provider with its own loop, so that no provider waits for another. */
interface AskedProvider {
  readonly loop: Reconciler
  readonly rest: ProviderRest
}

/** Data from a provider that is not stored yet. */
interface Unsaved extends SessionId {
  readonly connectorData: string
}

/**
 * Asks identity providers again about signed-in users, once per interval for each session. A session ends when its
 * provider no longer accepts the user; it continues while the provider cannot be reached.
 */
export class IdentityRefresh implements Controller {
  readonly #parts: IdentityRefreshParts
  readonly #due = new Map<string, Due>()
  readonly #providers = new Map<string, AskedProvider>()
  readonly #unsaved = new Map<string, Unsaved>()
  readonly #sources: readonly (() => void)[]

  constructor(parts: IdentityRefreshParts) {
    this.#parts = parts
    const note = (document: StoredDocument) => this.#note(document)
    const timer = setInterval(() => this.#tick(), tickMs).unref()
    this.#sources = [
      followCache(parts.keys.cache, { put: note, remove: ({ name }) => void this.#due.delete(name) }),
      () => clearInterval(timer),
    ]
  }

  async stop(): Promise<void> {
    for (const end of this.#sources) end()
    await Promise.all([...this.#providers.values()].map(({ loop }) => loop.stop()))
  }

  #tick(): void {
    const nowMs = this.#nowMs
    for (const [name, { connector, atMs }] of this.#due) {
      if (atMs > nowMs) continue
      const { loop, rest } = this.#providerOf(connector)
      if (!rest.isOn) loop.add(name)
    }
  }

  get #nowMs(): number {
    return this.#parts.keys.engine.clock.now()
  }

  #providerOf(connector: string): AskedProvider {
    const known = this.#providers.get(connector)
    if (known !== undefined) return known
    const { keys, report, intervalSeconds } = this.#parts
    const rest = new ProviderRest({
      clock: keys.engine.clock,
      longestMs: Math.min(longestRestMs, intervalSeconds * 1000),
    })
    const loop = new Reconciler({
      reconcile: (name) => this.#refresh(name, rest),
      failed: (name, error) => report(manager, name, error),
      workers,
    })
    const provider = { loop, rest }
    this.#providers.set(connector, provider)
    return provider
  }

  /** Nearly all keys come from no sign-in and need not be parsed. */
  #note(document: StoredDocument): void {
    const lastMs = document.contains('"identityRefresh"') ? lastRefreshMs(document) : undefined
    if (lastMs === undefined) {
      this.#due.delete(document.name)
      return
    }
    const atMs = lastMs + this.#parts.intervalSeconds * 1000 * spread(document.name)
    this.#due.set(document.name, { connector: connectorOf(document), atMs })
  }

  async #refresh(name: string, rest: ProviderRest): Promise<void> {
    await this.#save(name)
    const claimed = rest.isOn ? undefined : await this.#claim(name)
    const signedOn = claimed && signedOnOf(claimed)
    if (claimed === undefined || signedOn === undefined) return
    const { uid } = claimed.object.metadata
    const keep = (connectorData: string) => this.#keep({ name, uid, connectorData })
    try {
      const refreshed = await this.#parts.refresh(signedOn, keep)
      if (refreshed.outcome === 'away') this.#askAgain(name, rest.begin())
      else {
        rest.end()
        await this.#take(refreshed, claimed)
      }
    } catch (error) {
      // The answer of the provider had no effect, so the provider is asked again.
      this.#askAgain(name, this.#nowMs)
      throw error
    }
  }

  async #claim(name: string): Promise<StoredDocument | undefined> {
    const { keys } = this.#parts
    const document = keys.cache.get({ namespace: '', name })
    const { atMs = Number.POSITIVE_INFINITY } = this.#due.get(name) ?? {}
    return document === undefined || atMs > this.#nowMs ? undefined : claimRefresh(keys, document)
  }

  async #take(refreshed: Exclude<RefreshedIdentity, { outcome: 'away' }>, claimed: StoredDocument): Promise<void> {
    if (refreshed.outcome === 'unknown') return
    const { keys, bringUpToDate } = this.#parts
    const { name } = claimed
    const { uid } = claimed.object.metadata
    const user = specOf(claimed.object).user ?? ''
    const isKnown = refreshed.outcome === 'confirmed' && (await bringUpToDate(user, refreshed.signedOn))
    if (isKnown) {
      await keepIdentity(keys, { name, uid }, refreshed.signedOn)
      return
    }
    const left = refreshed.outcome === 'ended' && refreshed.hasLeft ? signedOnOf(claimed) : undefined
    // Runs before the session is removed, because without it the provider is not asked again, and the user's other keys
    // have these teams, too.
    if (left !== undefined) await bringUpToDate(user, { ...left, groups: [] })
    await removeSession(keys, name, uid)
  }

  /** Stored whatever happens next: the data just used may be valid only once. */
  #keep(given: Unsaved): Promise<void> {
    this.#unsaved.set(given.name, given)
    return this.#save(given.name)
  }

  async #save(name: string): Promise<void> {
    const given = this.#unsaved.get(name)
    if (given === undefined) return
    await keepConnectorData(this.#parts.keys, given, given.connectorData)
    this.#unsaved.delete(name)
  }

  #askAgain(name: string, atMs: number): void {
    const due = this.#due.get(name)
    if (due !== undefined) this.#due.set(name, { ...due, atMs })
  }
}

/** Between 0.8 and 1, by name, so that sessions that began together are not refreshed together. */
function spread(name: string): number {
  let sum = 0
  for (let at = 0; at < name.length; at += 1) sum = (sum * 31 + name.charCodeAt(at)) % 1_000
  return 1 - sum / 5_000
}
