import type { KubeObject } from '../../api/object.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { HostNames, SyncKind, TakenOver } from '../contract.ts'
import { hostStorageClass } from '../names/markers.ts'
import { genericSync, statusOf } from './generic.ts'

const claimKind = 'PersistentVolumeClaim'

/** Set once, when a claim is created. */
const madeWith = ['volumeName', 'storageClassName', 'selector', 'dataSource', 'dataSourceRef'] as const

/** The host decides which volume a claim gets. Claims used as data sources get their names on the host. */
export const persistentVolumeClaimsSync: SyncKind = {
  ...genericSync('persistentVolumeClaims', '', 'persistentvolumeclaims'),
  staysWhileHeld: true,
  // A claim that says that it was bound where it is, without a volume there, counts as lost.
  staysOnItsSide: (key) => key.startsWith('pv.kubernetes.io/'),
  toHost: ({ spec, metadata }, { names }) => {
    if (!isJsonObject(spec)) return { spec }
    const { volumeName: _, storageClassName, dataSource, dataSourceRef, ...rest } = spec
    const isHostsChoice = metadata.annotations?.[hostStorageClass] === storageClassName
    const renamed = (source: unknown) => renamedClaim(source, metadata.namespace ?? '', names)
    return {
      spec: {
        ...rest,
        ...(storageClassName !== undefined && !isHostsChoice && { storageClassName }),
        ...(dataSource !== undefined && { dataSource: renamed(dataSource) }),
        ...(dataSourceRef !== undefined && { dataSourceRef: renamed(dataSourceRef) }),
      },
    }
  },
  toVirtual: (copy, virtual, { virtualFollowsHostAddresses }) => ({
    ...statusOf(copy, virtual),
    ...(virtualFollowsHostAddresses && boundOnHost(copy, virtual)),
  }),
  outlastsCopy: true,
  takesHoldOf: ({ spec, metadata: { namespace = '' } }, copy) => {
    if (copy !== undefined) return []
    const { dataSource, dataSourceRef } = asMembers(spec)
    return [dataSource, dataSourceRef].flatMap((source) => {
      const { kind, name } = asMembers(source)
      return kind === claimKind && typeof name === 'string' ? [{ apiVersion: 'v1', kind, namespace, name }] : []
    })
  },
  overCopy: ({ spec }, { spec: copied }) => {
    if (!isJsonObject(spec) || !isJsonObject(copied)) return { spec }
    const kept = madeWith.filter((member) => copied[member] !== undefined)
    const { volumeAttributesClassName: attributes } = copied
    return {
      spec: {
        // It can be changed but not removed.
        ...(attributes !== undefined && { volumeAttributesClassName: attributes }),
        ...spec,
        ...Object.fromEntries(kept.map((member) => [member, copied[member]])),
      },
    }
  },
}

/**
 * The volume of the copy and, if the claim names no class, the class that the host chose. The annotation keeps that
 * class from being requested: a policy may not allow tenants to name it. Another API server binds claims itself.
 */
function boundOnHost(copy: KubeObject, virtual: KubeObject): TakenOver {
  const { volumeName, storageClassName } = asMembers(copy.spec)
  const { volumeName: known, storageClassName: named } = asMembers(virtual.spec)
  if (typeof volumeName !== 'string' || volumeName === '' || known) return {}
  if (typeof storageClassName !== 'string' || storageClassName === '' || named !== undefined || olderClass(virtual)) {
    return { fields: { spec: { volumeName } } }
  }
  return {
    fields: { spec: { volumeName, storageClassName } },
    annotations: { [hostStorageClass]: storageClassName },
  }
}

/** Claims of old clients name their class in an annotation, which a field may not contradict. */
function olderClass({ metadata }: KubeObject): boolean {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined
}

function renamedClaim(source: unknown, namespace: string, names: HostNames): unknown {
  if (!isJsonObject(source) || source.kind !== claimKind || typeof source.name !== 'string') return source
  return { ...source, name: names.of(namespace, source.name).name }
}
