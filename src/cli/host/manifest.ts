import type { KubeObject } from '../../api/object.ts'

/** The wanted state of an object on the host. */
export type Manifest = KubeObject

/** A rule of a Role. */
export interface ManifestRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}
