import type { KubeObject } from '../../../api/object.ts'
import { projectOfNamespace } from '../../../auth/scope/request.ts'
import { asMembers } from '../../../base/json/lenient.ts'

/** A virtual cluster that this process runs. */
export interface LocalInstance {
  readonly project: string
  /** The name on the platform. */
  readonly name: string
  /** The name on the host. */
  readonly tenant: string
  readonly namespace: string
  /** The uid of its object on the platform: a recreated one of the same name is different. */
  readonly uid: string
  /** tenant.yaml. */
  readonly config: string
}

export function describeInstance({ metadata, spec }: KubeObject): LocalInstance {
  const { name = '', namespace: place = '', uid = '' } = metadata
  const { config, clusterRef } = asMembers(spec)
  const { namespace, virtualCluster } = asMembers(clusterRef)
  return {
    project: projectOfNamespace(place) ?? place,
    name,
    tenant: text(virtualCluster) ?? name,
    namespace: text(namespace) ?? `tenant-${name}`,
    uid,
    config: text(config) ?? '',
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
