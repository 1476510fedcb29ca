import type { KubeObject } from '../../api/object.ts'
import type { HostNames, Trouble } from '../contract.ts'
import { managedBy, processNamespace } from '../names/markers.ts'
import { NotYet, SyncTrouble } from './failure.ts'

/** Namespaces of the host, as the sync of namespaces knows them. */
export interface KnownNamespaces {
  readonly names: HostNames
  /** Whether the namespace of the host is the copy of a virtual one. */
  isCopied(virtual: string): boolean
  /** What stands at the place of the copy, as the host itself shows it; nothing if there is none. */
  readPlace(virtual: string, signal: AbortSignal): Promise<KubeObject | undefined>
}

/**
 * Resolves if objects of a virtual namespace may be put into the one of the host that it is mapped to, and may be shown what is
 * there. Tenants choose names, so that a pattern can lead to a namespace of others: only one that the tenant has made counts then.
 * One that tenant.yaml names is the operator's choice, unless it belongs to another tenant, or holds the keys of this one, of another or of the platform.
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
  return { reason: 'HostNamespaceMissing', message: `the namespace ${place} of the host is not there yet` }
}

function notOwn(place: string): Trouble {
  const message = `the namespace ${place} of the host is not this tenant's, and nothing is put into it: choose another name`
  return { reason: 'HostNamespaceNotOwn', message }
}

/** Whether a virtual namespace has such a place. Rejects as long as that is not known. */
export async function isOwnPlace(required: Promise<void>): Promise<boolean> {
  try {
    await required
    return true
  } catch (error) {
    if (error instanceof SyncTrouble) return false
    throw error
  }
}
