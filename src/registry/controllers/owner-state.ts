import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.ts'
import { type OwnerReference, parseApiVersion } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import type { CollectedOwnerState } from './collection-plan.ts'

/** What an object under deletion waits for: that its dependents are deleted, or that they no longer name it as owner. */
export type Waits = 'dependents' | 'orphaning' | 'nothing'

export function waitsFor(document: StoredDocument): Waits {
  return mayWait(document) ? factsOf(document).waits : 'nothing'
}

/** Decided by a text search, which is much faster than parsing. */
export function mayWait(document: StoredDocument): boolean {
  return (
    document.mentions('deletionTimestamp') &&
    (document.contains(`"${foregroundFinalizer}"`) || document.contains(`"${orphanFinalizer}"`))
  )
}

export function uidOf(document: StoredDocument): string {
  return factsOf(document).uid
}

interface Facts {
  readonly uid: string
  readonly waits: Waits
}

/** An owner is checked once for each of its dependents, and may be large. */
const known = new WeakMap<StoredDocument, Facts>()

function factsOf(document: StoredDocument): Facts {
  const facts = known.get(document) ?? readFacts(document)
  known.set(document, facts)
  return facts
}

function readFacts(document: StoredDocument): Facts {
  const { uid = '', deletionTimestamp, finalizers = [] } = document.object.metadata
  if (deletionTimestamp === undefined) return { uid, waits: 'nothing' }
  if (finalizers.includes(orphanFinalizer)) return { uid, waits: 'orphaning' }
  return { uid, waits: finalizers.includes(foregroundFinalizer) ? 'dependents' : 'nothing' }
}

/**
 * Also `present` if the owner cannot be looked up: its kind is not served here, or it is a namespaced owner of a
 * cluster-scoped object.
 */
export function ownerStateOf(
  context: ResourceContext,
  dependent: StoredDocument,
  reference: OwnerReference,
): CollectedOwnerState {
  const kind = context.engine.find(parseApiVersion(reference.apiVersion).group, reference.kind)
  if (kind === undefined || (kind.kind.namespaced && !context.kind.namespaced)) return 'present'
  const namespace = kind.kind.namespaced ? dependent.namespace : ''
  const owner = kind.cache.get({ namespace, name: reference.name })
  if (owner === undefined || uidOf(owner) !== reference.uid) return 'absent'
  return waitsFor(owner) === 'dependents' ? 'waiting' : 'present'
}
