import { apiVersionOf } from '../../api/object.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'
import type { SyncKind } from '../contract.ts'

export interface BothTypes {
  readonly virtual: ResourceType
  readonly host: ResourceType
}

export type ServedTypes = ({ readonly ok: true } & BothTypes) | { readonly ok: false; readonly message: string }

/** How both clusters serve a kind: in the first version that they share. */
export async function servedTypes(
  kind: SyncKind,
  clients: { readonly virtual: KubeClient; readonly host: KubeClient },
  signal: AbortSignal,
): Promise<ServedTypes> {
  const versions = await find(kind, clients.virtual, signal)
  const [preferred] = versions
  if (preferred === undefined) return { ok: false, message: `the virtual cluster does not serve ${kind.resource}` }
  for (const virtual of versions) {
    const host = await clients.host.served.findKind(apiVersionOf(virtual), virtual.kind, signal)
    if (host !== undefined && isSame(virtual, host)) return { ok: true, virtual, host }
  }
  const served = versions.map(apiVersionOf).join(' or ')
  return { ok: false, message: `the host does not serve ${preferred.kind} of ${served}` }
}

/** How one cluster serves a kind, whether the other one does or not. Without a group, in every group that has it. */
export async function typesOn(
  { served }: KubeClient,
  kind: SyncKind,
  signal: AbortSignal,
): Promise<readonly ResourceType[]> {
  if (kind.group === undefined) return served.findPlural(kind.resource, signal)
  const type = await served.find(kind.group, kind.resource, signal)
  return type === undefined ? [] : [type]
}

/** A tenant may define a kind under another resource name, or as namespaced while the host has it cluster-scoped. */
function isSame(virtual: ResourceType, host: ResourceType): boolean {
  return virtual.resource === host.resource && virtual.namespaced === host.namespaced
}

/** All versions, the preferred one first. A plural without a group is enough if only one group has it. */
async function find(
  { group, resource }: SyncKind,
  { served }: KubeClient,
  signal: AbortSignal,
): Promise<readonly ResourceType[]> {
  if (group !== undefined) return served.findVersions(group, resource, signal)
  const [only, ...others] = await served.findPlural(resource, signal)
  return only === undefined || others.length > 0 ? [] : served.findVersions(only.group, resource, signal)
}
