import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { HostNames, SyncKind } from '../contract.ts'
import { genericSync } from './generic.ts'

const claimKind = 'PersistentVolumeClaim'

/** Set once, when a claim is created. */
const madeWith = ['volumeName', 'storageClassName', 'selector', 'dataSource', 'dataSourceRef'] as const

/** The host decides which volume a claim gets. Claims used as data sources get their names on the host. */
export const persistentVolumeClaimsSync: SyncKind = {
  ...genericSync('persistentVolumeClaims', '', 'persistentvolumeclaims'),
  staysWhileHeld: true,
  toHost: ({ spec, metadata }, { names }) => {
    if (!isJsonObject(spec)) return { spec }
    const { volumeName: _, dataSource, dataSourceRef, ...rest } = spec
    const renamed = (source: unknown) => renamedClaim(source, metadata.namespace ?? '', names)
    return {
      spec: {
        ...rest,
        ...(dataSource !== undefined && { dataSource: renamed(dataSource) }),
        ...(dataSourceRef !== undefined && { dataSourceRef: renamed(dataSourceRef) }),
      },
    }
  },
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

function renamedClaim(source: unknown, namespace: string, names: HostNames): unknown {
  if (!isJsonObject(source) || source.kind !== claimKind || typeof source.name !== 'string') return source
  return { ...source, name: names.of(namespace, source.name).name }
}
