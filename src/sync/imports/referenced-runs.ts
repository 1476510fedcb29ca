import { parseApiVersion } from '../../api/object.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { ResourceType } from '../../client/contract.ts'
import type { ObjectName, ReferencedKind } from '../../patches/contract.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { SyncKind } from '../contract.ts'
import { builtInKinds } from '../kinds/built-in.ts'
import { genericSync } from '../kinds/generic.ts'
import { importedLabel } from '../names/import-marks.ts'
import { pauseAfter } from '../run/failures/failure.ts'
import type { ImportCause } from './contract.ts'
import { type ImportRun, type ImportRunParts, startImportRun } from './import-run.ts'
import { patchReferences } from './patch-references.ts'
import { ReferencedPlaces, type ReferencingTenant, referencedImport } from './referenced-import.ts'

/** A kind that is referred to, in any version. It is followed once there is something to import or to delete. */
interface Target {
  readonly group: string
  readonly kind: string
  readonly places: ReferencedPlaces
  /** Whether an earlier process may have imported objects of it. */
  isUsual?: boolean
  started?: { readonly id: string; readonly run: ImportRun }
}

const cause: ImportCause = 'reference'
const mostReferred: readonly ReferencedKind[] = [
  { apiVersion: 'v1', kind: 'Secret' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
]
const absentRetryMs = 30_000
/** Where a patch has `kindPath`, the tenant names the kinds, which need not exist. */
const mostKinds = 200

/** Imports of referenced objects that only the host has, whether or not their kind is synced. */
export class ReferencedRuns {
  readonly #parts: ImportRunParts
  readonly #tenant: ReferencingTenant
  readonly #targets = new Map<string, Target>()
  /** Kinds that may have something to import or to delete; this is checked first. */
  readonly #unknown: Reconciler
  /** Kinds that an earlier process may have imported. */
  #usual: readonly ReferencedKind[] = []
  #isFull = false

  constructor(parts: ImportRunParts, tenant: ReferencingTenant) {
    this.#parts = parts
    this.#tenant = tenant
    this.#unknown = new Reconciler({
      reconcile: (key) => this.#lookInto(key),
      failed: (key, error) => parts.log.debug('cannot learn about a kind that is referred to', { kind: key, error }),
      pauseMs: pauseAfter,
    })
  }

  reconfigure(config: EffectiveConfig): void {
    this.#usual = [...mostReferred, ...patchReferences(config)]
  }

  /** A synced object refers to an object, or no longer does. */
  referenced(kind: ReferencedKind, virtual: ObjectName, isReferenced: boolean): void {
    const key = keyOf(kind)
    if (!this.#targets.has(key) && (!isReferenced || !this.#hasRoom(kind))) return
    const { places, started, isUsual = false } = this.#target(kind)
    places.set(virtual, isReferenced)
    if (started !== undefined) started.run.running?.enqueue(virtual)
    else if (places.size > 0 || isUsual) this.#unknown.add(key)
    else this.#targets.delete(key)
  }

  /** All references are known: imports without a reference may be deleted, including those of an earlier process. */
  completed(kinds: Iterable<ReferencedKind>): void {
    for (const { started } of this.#targets.values()) started?.run.running?.enqueueAll()
    for (const kind of [...this.#usual, ...kinds]) {
      const target = this.#target(kind)
      target.isUsual = true
      if (target.started === undefined) this.#unknown.add(keyOf(kind))
    }
  }

  *runs(): Iterable<readonly [string, ImportRun]> {
    for (const { started } of this.#targets.values()) if (started !== undefined) yield [started.id, started.run]
  }

  stop(): Promise<void> {
    return this.#unknown.stop()
  }

  #hasRoom({ apiVersion, kind }: ReferencedKind): boolean {
    const isFull = this.#targets.size >= mostKinds
    if (isFull && !this.#isFull) {
      const message = `objects refer to more than ${mostKinds} kinds, and nothing of the others is imported from the host`
      this.#parts.log.warn(message, { apiVersion, kind })
    }
    this.#isFull = isFull
    return !isFull
  }

  #target({ apiVersion, kind }: ReferencedKind): Target {
    const key = keyOf({ apiVersion, kind })
    const known = this.#targets.get(key)
    if (known !== undefined) return known
    const { group } = parseApiVersion(apiVersion)
    const target: Target = { group, kind, places: new ReferencedPlaces(this.#tenant.hostOf) }
    this.#targets.set(key, target)
    return target
  }

  async #lookInto(key: string): Promise<void> {
    const target = this.#targets.get(key)
    if (target === undefined || target.started !== undefined) return
    const { group, kind } = target
    const { virtual } = this.#parts.clients
    const type = await virtual.served.findKindOfGroup(group, kind, this.#unknown.signal)
    if (type === undefined) return this.#unknown.addAfter(key, absentRetryMs)
    // References do not translate names of objects outside namespaces.
    if (!type.namespaced) return
    if (target.places.size === 0 && !(await this.#hasImports(type))) return
    if (this.#targets.get(key) !== target) return this.#unknown.add(key)
    const config = referencedImport(syncKindOf(type), target.places, this.#tenant)
    const id = `references.${config.rules.kind.id}`
    target.started = { id, run: startImportRun(id, config.rules.kind, () => config, this.#parts) }
  }

  async #hasImports(type: ResourceType): Promise<boolean> {
    const labelSelector = `${importedLabel}=${cause}`
    const { items } = await this.#parts.clients.virtual.list(type, { labelSelector }, this.#unknown.signal)
    return items.length > 0
  }
}

function syncKindOf({ group, resource }: ResourceType): SyncKind {
  const known = builtInKinds.find((kind) => kind.group === group && kind.resource === resource)
  return known ?? genericSync(`${resource}.${group}`, group, resource)
}

/** Ignores the version. */
function keyOf({ apiVersion, kind }: ReferencedKind): string {
  return `${parseApiVersion(apiVersion).group}/${kind}`
}
