import type {
  AccessKey,
  AccessKeyScope,
  AccessKeySpec,
  AccessKeyStatus,
} from '../../../src/api/management/access-key-types.ts'
import type { KubeObject, ObjectMeta } from '../../../src/api/object.ts'

export type { AccessKey, AccessKeyScope, AccessKeySpec, AccessKeyStatus, KubeObject, ObjectMeta }

export interface Grant {
  readonly name?: string
  readonly verbs?: readonly string[]
  readonly clusterRole?: string
  readonly users?: readonly string[]
  readonly teams?: readonly string[]
}

export interface Condition {
  readonly type?: string
  readonly status?: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}

export interface Progress {
  readonly phase?: string
  readonly reason?: string
  readonly message?: string
  readonly conditions?: readonly Condition[]
}

export interface User extends KubeObject {
  readonly spec?: {
    readonly displayName?: string
    readonly description?: string
    readonly username?: string
    readonly email?: string
    readonly subject?: string
    readonly groups?: readonly string[]
    readonly disabled?: boolean
  }
  readonly status?: { readonly teams?: readonly string[]; readonly lastActivity?: string }
}

export interface Team extends KubeObject {
  readonly spec?: {
    readonly displayName?: string
    readonly description?: string
    readonly username?: string
    readonly users?: readonly string[]
    readonly groups?: readonly string[]
  }
}

export interface Member {
  readonly kind?: 'User' | 'Team'
  readonly name?: string
  readonly role?: 'admin' | 'user' | 'viewer'
}

export interface Project extends KubeObject {
  readonly spec?: {
    readonly displayName?: string
    readonly description?: string
    readonly members?: readonly Member[]
    readonly access?: readonly Grant[]
    readonly allowedClusters?: readonly string[]
    readonly quotas?: {
      readonly project?: Readonly<Record<string, string>>
      readonly user?: Readonly<Record<string, string>>
    }
  }
  readonly status?: Progress & { readonly namespace?: string }
}

export interface Cluster extends KubeObject {
  readonly spec?: {
    readonly displayName?: string
    readonly description?: string
    readonly insecure?: boolean
    readonly config?: { readonly secretName?: string; readonly secretNamespace?: string; readonly key?: string }
  }
  readonly status?: Progress & { readonly online?: boolean; readonly lastSeen?: string; readonly version?: string }
}

export interface ClusterReference {
  readonly cluster?: string
  readonly namespace?: string
  readonly virtualCluster?: string
}

export interface SpaceInstance extends KubeObject {
  readonly spec?: { readonly displayName?: string; readonly clusterRef?: ClusterReference }
  readonly status?: Progress
}

export interface VirtualCluster extends KubeObject {
  readonly spec?: {
    readonly displayName?: string
    readonly description?: string
    readonly clusterRef?: ClusterReference
    readonly external?: boolean
    readonly config?: string
  }
  readonly status?: Progress & {
    readonly online?: boolean
    readonly lastHeartbeat?: string
    readonly version?: { readonly tenant?: string; readonly kubernetes?: string }
    readonly link?: { readonly replica?: string; readonly accessKey?: string }
  }
}

/** A project's objects live in a namespace of their own. */
export function namespaceOf(project: string): string {
  return `p-${project}`
}

export function projectOf({ metadata }: KubeObject): string {
  return (metadata.namespace ?? '').replace(/^p-/, '')
}

export function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? ''
}
