import type { Kind } from '../../api/kind.ts'
import type { ResourceQuota } from '../../api/types/core-v1.ts'
import { sameAmounts } from '../amounts.ts'
import type { PlannedWrite, ResourceContext } from '../context.ts'
import { uidOf } from '../controllers/owner-state.ts'
import { controllerRequest } from '../controllers/system-request.ts'
import type { StoredDocument } from '../document.ts'
import { documentsIn } from '../documents-in.ts'
import { caughtUp } from '../freshness.ts'
import type { ObjectRegistry } from '../registry.ts'
import { storeChanged } from '../stored-write.ts'
import { tracked } from '../verbs/update.ts'
import { type Charge, type ChargedQuota, chargedQuota, sealedCharges } from './charge.ts'
import { countUsed, type UsageMemory } from './count-used.ts'
import { GoneObjects } from './gone-objects.ts'

/** A writer that has been silent for this long is gone: no write takes longer. */
const longestWriteMs = 120_000

const manager = 'resource-quota'

/** The stored quotas of every namespace, and the open charges of this process. */
export class QuotaBook {
  readonly #registry: ObjectRegistry
  readonly #replica: string
  readonly #memory: UsageMemory = new WeakMap()
  readonly #open = new Set<string>()
  readonly #gone: GoneObjects
  /** Namespaces whose status could not be updated because their quotas change constantly. */
  readonly #overdue = new Set<string>()
  readonly #listeners = new Set<(namespace: string) => void>()
  readonly #request = controllerRequest(manager, new AbortController().signal, 'status')
  #lastCharge = 0

  constructor(registry: ObjectRegistry) {
    this.#registry = registry
    this.#replica = registry.engine.random.uuid()
    this.#gone = new GoneObjects(registry.engine.clock, longestWriteMs)
  }

  hasQuotas(namespace: string): boolean {
    const quotas = this.#quotas
    return quotas !== undefined && quotas.cache.size > 0 && documentsIn(quotas, namespace).length > 0
  }

  /** Calls the listener with a namespace whose quotas may hold an obsolete charge. */
  onClosed(listener: (namespace: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  open(kind: Kind, { id, object, old }: PlannedWrite): Omit<Charge, 'added'> {
    this.#lastCharge += 1
    const charge = {
      id: `${this.#replica}/${this.#lastCharge}`,
      group: kind.group,
      kind: kind.kind,
      name: id.name,
      atMs: this.#registry.engine.clock.now(),
    }
    this.#open.add(charge.id)
    if (old === undefined) return { ...charge, uid: object.metadata.uid ?? '' }
    return { ...charge, revision: Number(old.object.metadata.resourceVersion) }
  }

  /** The charged object is stored and visible, or will never be stored. */
  close(namespace: string, { id }: Pick<Charge, 'id'>): void {
    if (!this.#open.delete(id)) return
    for (const listener of this.#listeners) listener(namespace)
  }

  /** The same for a write that was never meant to be stored. */
  drop({ id }: Pick<Charge, 'id'>): void {
    this.#open.delete(id)
  }

  /** An object of the namespace was deleted, so it had been stored, whether or not it was seen. */
  gone(document: StoredDocument): void {
    if (this.hasQuotas(document.namespace)) this.#gone.add(uidOf(document))
  }

  /** The quotas of a namespace. If one has changed since it was last counted, they are counted now. */
  async read(namespace: string): Promise<readonly ChargedQuota[]> {
    const quotas = this.#stored(namespace)
    const isOverdue = this.#overdue.delete(namespace)
    return isOverdue || !quotas.every(isCounted) ? this.#counted(namespace, quotas) : quotas
  }

  /** The quotas according to the latest state, including writes at other replicas. */
  async readCounted(namespace: string): Promise<readonly ChargedQuota[]> {
    await caughtUp(this.#registry.engine)
    return this.#counted(namespace, this.#stored(namespace))
  }

  /** Stores the charges. False if a quota has changed meanwhile: then some of them may be stored. */
  async store(quotas: readonly ChargedQuota[]): Promise<boolean> {
    for (const quota of quotas) {
      if (hasNewCharges(quota) && !(await this.#write(quota))) return false
    }
    return true
  }

  /**
   * Updates the status of all quotas; false if one has changed meanwhile. In that case writers must count: in a
   * namespace with constant writes, no other caller would ever be in time.
   */
  async refresh(namespace: string): Promise<boolean> {
    const stored = this.#stored(namespace)
    const counted = await this.#counted(namespace, stored)
    const wrong = counted.filter(({ used }, index) => {
      const before = stored[index]
      return before === undefined || !isCounted(before) || !sameAmounts(used, before.used)
    })
    let isDone = true
    for (const quota of wrong) isDone = (await this.#write(quota)) && isDone
    if (isDone) this.#overdue.delete(namespace)
    else this.#overdue.add(namespace)
    return isDone
  }

  /** How long until the last currently open charge expires; undefined if none is open. */
  openForMs(namespace: string): number | undefined {
    const open = this.#stored(namespace).flatMap(({ charges }) =>
      charges.filter((each) => this.#isOpen(namespace, each)),
    )
    if (open.length === 0) return undefined
    const lastMs = open.reduce((last, { atMs }) => Math.max(last, atMs), 0)
    return lastMs + longestWriteMs - this.#registry.engine.clock.now()
  }

  get #quotas(): ResourceContext | undefined {
    return this.#registry.engine.find('', 'ResourceQuota')
  }

  #stored(namespace: string): readonly ChargedQuota[] {
    const quotas = this.#quotas
    return quotas === undefined ? [] : documentsIn(quotas, namespace).map(chargedQuota)
  }

  #counted(namespace: string, quotas: readonly ChargedQuota[]): Promise<readonly ChargedQuota[]> {
    const isOpen = (charge: Charge) => this.#isOpen(namespace, charge)
    return countUsed(namespace, quotas, this.#registry.contexts(), isOpen, this.#memory)
  }

  /**
   * Whether the charged write may still be stored and has not been seen yet. An update applies to the named revision or
   * not at all, so any newer revision settles it.
   */
  #isOpen(namespace: string, { id, group, kind, name, uid, revision, atMs }: Charge): boolean {
    const isOurs = id.startsWith(`${this.#replica}/`)
    if (isOurs && !this.#open.has(id)) return false
    const { engine } = this.#registry
    if (engine.clock.now() - atMs > longestWriteMs) {
      this.#open.delete(id)
      return false
    }
    const found = engine.find(group, kind)?.cache.get({ namespace, name })
    if (uid !== undefined) return !this.#gone.has(uid) && (found === undefined || uidOf(found) !== uid)
    return found !== undefined && found.revision <= (revision ?? 0)
  }

  /** False if the quota has changed since it was read. */
  async #write({ document, object, hard, used, charges }: ChargedQuota): Promise<boolean> {
    const quotas = this.#quotas
    if (quotas === undefined) return true
    const after: ResourceQuota = { ...object, status: { hard, used } }
    const open = charges.filter((charge) => this.#isOpen(document.namespace, charge))
    const owned = tracked(quotas, object, after, this.#request)
    const stored = await storeChanged(quotas, document, owned, sealedCharges(open))
    if (stored.outcome === 'written') return true
    if (stored.current !== undefined) await quotas.engine.feed.reached(stored.current.revision)
    return false
  }
}

/** Whether the status covers the current limits. */
function isCounted({ object, hard, used }: ChargedQuota): boolean {
  return sameAmounts(object.status?.hard ?? {}, hard) && Object.keys(hard).every((name) => name in used)
}

function hasNewCharges({ document, charges }: ChargedQuota): boolean {
  const before = new Set(chargedQuota(document).charges.map(({ id }) => id))
  return charges.some(({ id }) => !before.has(id))
}
