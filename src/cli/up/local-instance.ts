import type { KubeObject } from '../../api/object.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import { asMembers } from '../../base/json/lenient.ts'

/** A virtual cluster that this process runs. */
export interface LocalInstance {
  readonly project: string
  /** On the platform. */
  readonly name: string
  /** On the host. */
  readonly tenant: string
  readonly namespace: string
  /** Of its object on the platform: one that was made anew under the same name is another. */
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
