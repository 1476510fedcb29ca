import { resourcePath } from '../api/management.ts'
import { type KubeObject, nameOf, type VirtualCluster } from '../api/objects.ts'
import { pathOf } from '../api/path.ts'
import { ApiProblem } from '../api/problem.ts'
import { listOf, membersOf, objectOf } from '../api/shape.ts'
import { askTenant } from '../api/tenant-answer.ts'
import type { ServedType } from './sync-shape.ts'
import { proxyPath } from './sync-state.ts'

export interface BothSides {
  readonly virtual: KubeObject
  readonly host?: KubeObject
  /** Why the host side is not known. Without either there is none. */
  readonly hostProblem?: unknown
}

const mark = 'tenant.internal/'
const mostCopies = 10_000

export async function readBothSides(
  virtualCluster: VirtualCluster,
  type: ServedType,
  fullName: string,
): Promise<BothSides> {
  const virtual = await askTenant(pathIn(proxyPath(virtualCluster, ''), type, placeOf(fullName)), objectOf)
  try {
    const host = await hostSide(virtualCluster, type, virtual)
    return { virtual, ...(host === undefined ? {} : { host }) }
  } catch (error) {
    return { virtual, hostProblem: error }
  }
}

function hostSide(
  virtualCluster: VirtualCluster,
  type: ServedType,
  virtual: KubeObject,
): Promise<KubeObject | undefined> {
  const { cluster = '' } = virtualCluster.spec?.clusterRef ?? {}
  if (cluster === '') throw new ApiProblem(404, 'the platform does not know its host cluster')
  const proxy = pathOf('kubernetes', 'cluster', cluster)
  const source = virtual.metadata.annotations?.[`${mark}imported-from`]
  return source === undefined
    ? hostCopy(virtualCluster, proxy, type, virtual)
    : askTenant(pathIn(proxy, type, placeOf(source)), objectOf)
}

/** Copies have marks that name their virtual object. */
async function hostCopy(
  virtualCluster: VirtualCluster,
  proxy: string,
  type: ServedType,
  virtual: KubeObject,
): Promise<KubeObject | undefined> {
  const { namespace } = virtualCluster.spec?.clusterRef ?? {}
  const query = { labelSelector: `${mark}managed-by=${tenantOf(virtualCluster)}`, pretty: 'false' }
  const path = pathIn(proxy, type, { query, ...(namespace === undefined ? {} : { namespace }) })
  const items = await askTenant(path, (answer) =>
    listOf(membersOf(answer, 'it').items, 'items', mostCopies).map(objectOf),
  )
  const { apiVersion, kind } = virtual
  const found = items.find((copy) => isCopyOf(copy, virtual))
  return found && { ...found, apiVersion, kind }
}

function pathIn(proxy: string, { group, version, resource }: ServedType, place: Parameters<typeof resourcePath>[2]) {
  const base = group === '' ? pathOf('api', version) : pathOf('apis', group, version)
  return resourcePath(proxy + base, resource, place)
}

/** `namespace/name`, or only the name. */
function placeOf(fullName: string): { readonly namespace?: string; readonly name: string } {
  const slash = fullName.indexOf('/')
  return slash < 0 ? { name: fullName } : { namespace: fullName.slice(0, slash), name: fullName.slice(slash + 1) }
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
