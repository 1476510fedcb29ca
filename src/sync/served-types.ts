import { apiVersionOf } from '../api/object.ts'
import type { KubeClient, ResourceType } from '../client/contract.ts'
import type { SyncKind } from './contract.ts'

export interface BothTypes {
  readonly virtual: ResourceType
  readonly host: ResourceType
}

export type ServedTypes = ({ readonly ok: true } & BothTypes) | { readonly ok: false; readonly message: string }

/** How both clusters serve a kind; nothing is synced unless they do it in the same version. */
export async function servedTypes(
  kind: SyncKind,
  clients: { readonly virtual: KubeClient; readonly host: KubeClient },
  signal: AbortSignal,
): Promise<ServedTypes> {
  const virtual = await find(kind, clients.virtual, signal)
  if (virtual === undefined) return { ok: false, message: `the virtual cluster does not serve ${kind.resource}` }
  const host = await clients.host.served.findKind(apiVersionOf(virtual), virtual.kind, signal)
  if (host !== undefined) return { ok: true, virtual, host }
  return { ok: false, message: `the host does not serve ${virtual.kind} of ${apiVersionOf(virtual)}` }
}

/** A plural without a group is enough where only one group has it. */
async function find(
  { group, resource }: SyncKind,
  client: KubeClient,
  signal: AbortSignal,
): Promise<ResourceType | undefined> {
  if (group !== undefined) return client.served.find(group, resource, signal)
  const found = await client.served.findPlural(resource, signal)
  return found.length === 1 ? found[0] : undefined
}
