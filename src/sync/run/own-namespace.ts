import type { KubeObject } from '../../api/object.ts'
import type { HostNames, Trouble } from '../contract.ts'
import { managedBy, processNamespace } from '../names/markers.ts'
import { NotYet, SyncTrouble } from './failures/failure.ts'

/** Namespaces of the host, as the sync of namespaces knows them. */
export interface KnownNamespaces {
  readonly names: HostNames
  /** Whether the namespace of the host is the copy of a virtual one. */
  isCopied(virtual: string): boolean
  /** The object in the place of the copy, read from the host itself; undefined if there is none. */
  readPlace(virtual: string, signal: AbortSignal): Promise<KubeObject | undefined>
}

/**
 * Resolves if objects of a virtual namespace may be put into the one of the host that it is mapped to, and the tenant
 * may see what is there. Tenants choose names, so a pattern can lead to a namespace of others: in that case, only one
 * that the tenant created is allowed. A namespace that tenant.yaml names is the operator's choice, unless it belongs to
 * another tenant, or contains the keys of this tenant, of another or of the platform.
 */
export async function requireOwnNamespace(
  virtual: string,
  { names, isCopied, readPlace }: KnownNamespaces,
  signal: AbortSignal,
): Promise<void> {
  const mapping = names.mappingOf(virtual)
  if (mapping === undefined || isCopied(virtual)) return
  const place = mapping.namespace
  const there = await readPlace(virtual, signal)
  if (there === undefined) throw new NotYet(missing(place))
  if (isCopied(virtual)) return
  const { labels = {} } = there.metadata
  const isTaken = labels[managedBy] !== undefined || labels[processNamespace] !== undefined
  const isGiven = !mapping.isPattern && !isTaken
  if (!isGiven || place === names.tenantNamespace) throw new SyncTrouble(notOwn(place))
}

function missing(place: string): Trouble {
  return { reason: 'HostNamespaceMissing', message: `the namespace ${place} of the host does not exist yet` }
}

function notOwn(place: string): Trouble {
  const message = `the namespace ${place} of the host is not this tenant's, and nothing is put into it: choose another name`
  return { reason: 'HostNamespaceNotOwn', message }
}

/** Whether a virtual namespace has such a place. Rejects while that is not known. */
export async function isOwnPlace(required: Promise<void>): Promise<boolean> {
  try {
    await required
    return true
  } catch (error) {
    if (error instanceof SyncTrouble) return false
    throw error
  }
}
