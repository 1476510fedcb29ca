import type { KubeObject } from '../../api/object.ts'

/** An object as it is to be on the host. */
export type Manifest = KubeObject

/** A rule of a Role. */
export interface ManifestRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}
