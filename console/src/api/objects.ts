import type { KubeObject } from '../../../src/api/object.ts'

export type { KubeObject, ObjectMeta } from '../../../src/api/object.ts'
export type {
  AccessKey,
  AccessKeyScope,
  AccessKeySpec,
  AccessKeyStatus,
  Cluster,
  Grant,
  Member,
  Project,
  SpaceInstance,
  Team,
  User,
  VirtualClusterInstance as VirtualCluster,
} from '../../../src/api/types/management.ts'
export type { Condition } from '../../../src/api/types/meta-v1.ts'

/** The namespace of a project's objects. */
export function namespaceOf(project: string): string {
  return `p-${project}`
}

export function projectOf({ metadata }: KubeObject): string {
  return (metadata.namespace ?? '').replace(/^p-/, '')
}

export function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? ''
}
