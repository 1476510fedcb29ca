import { resourcePath } from '../api/management.ts'
import { type KubeObject, nameOf, type VirtualCluster } from '../api/objects.ts'
import { ApiProblem } from '../api/problem.ts'
import { ask } from '../api/request.ts'
import { proxyPath } from './sync-state.ts'

export interface BothSides {
  readonly virtual: KubeObject
  readonly host?: KubeObject
  readonly hostProblem?: ApiProblem
}

const mark = 'tenant.internal/'

/** Where a kind is served, as `sync.toHost` names it: `configMaps`, or `widgets.example.com`. */
async function baseOf(proxy: string, kind: string): Promise<{ readonly base: string; readonly plural: string }> {
  const dot = kind.indexOf('.')
  if (dot < 0) return { base: `${proxy}/api/v1`, plural: kind.toLowerCase() }
  const group = kind.slice(dot + 1)
  const { preferredVersion } = await ask<{ readonly preferredVersion: { readonly version: string } }>(
    `${proxy}/apis/${group}`,
  )
  return { base: `${proxy}/apis/${group}/${preferredVersion.version}`, plural: kind.slice(0, dot) }
}

export async function readBothSides(
  virtualCluster: VirtualCluster,
  kind: string,
  fullName: string,
): Promise<BothSides> {
  const slash = fullName.indexOf('/')
  const place =
    slash < 0 ? { name: fullName } : { namespace: fullName.slice(0, slash), name: fullName.slice(slash + 1) }
  const inside = await baseOf(proxyPath(virtualCluster, ''), kind)
  const virtual = await ask<KubeObject>(resourcePath(inside.base, inside.plural, place))
  try {
    const host = await hostCopy(virtualCluster, kind, virtual)
    return { virtual, ...(host === undefined ? {} : { host }) }
  } catch (error) {
    if (error instanceof ApiProblem) return { virtual, hostProblem: error }
    throw error
  }
}

/** Copies carry marks that say what they are copies of. */
async function hostCopy(
  virtualCluster: VirtualCluster,
  kind: string,
  virtual: KubeObject,
): Promise<KubeObject | undefined> {
  const { cluster = '', namespace } = virtualCluster.spec?.clusterRef ?? {}
  if (cluster === '') throw new ApiProblem(404, 'the platform does not know its host cluster')
  const { base, plural } = await baseOf(`/kubernetes/cluster/${encodeURIComponent(cluster)}`, kind)
  const query = { labelSelector: `${mark}managed-by=${tenantOf(virtualCluster)}`, pretty: 'false' }
  const path = resourcePath(base, plural, { query, ...(namespace === undefined ? {} : { namespace }) })
  const { items = [], apiVersion, kind: listKind } = await ask<HostList>(path)
  const found = items.find((copy) => isCopyOf(copy, virtual))
  return found && { ...found, apiVersion: apiVersion ?? 'v1', kind: (listKind ?? '').replace(/List$/, '') }
}

interface HostList {
  readonly apiVersion?: string
  readonly kind?: string
  readonly items?: readonly KubeObject[]
}

function tenantOf(virtualCluster: VirtualCluster): string {
  return virtualCluster.spec?.clusterRef?.virtualCluster || nameOf(virtualCluster)
}

function isCopyOf({ metadata: { annotations = {} } }: KubeObject, { metadata }: KubeObject): boolean {
  return (
    annotations[`${mark}object-name`] === metadata.name &&
    (annotations[`${mark}object-namespace`] ?? '') === (metadata.namespace ?? '')
  )
}
