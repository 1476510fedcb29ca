import type { KeyMap } from '../../api/host-controllers.ts'
import type { KubeObject } from '../../api/object.ts'
import type { PodPolicies, SyncPolicies } from '../../api/tenant-config/types.ts'
import type { KindSetting, ObjectFields, TextMap } from '../contract.ts'

/** The member of `policies.sync` or `policies.pods` that decides, or a rule that has no setting. */
export type RuleName = keyof SyncPolicies | keyof PodPolicies | 'secretTypes' | 'claims' | 'podFields'

/** Something that a tenant wrote and that does not reach the host. */
export interface Refusal {
  readonly rule: RuleName
  /** Where it stands, such as `spec.externalIPs[0]`. */
  readonly field: string
  /** Completes "… is not carried to the host: …". */
  readonly reason: string
  /** What the operator does to allow it. */
  readonly remedy: string
  /** The label or annotation that it is about. */
  readonly key?: { readonly map: KeyMap; readonly name: string }
}

/** What is left of an object. */
export interface Filtered {
  readonly object: KubeObject
  readonly refusals: readonly Refusal[]
  /** What is left makes no sense on the host, or would do more than its owner wrote, so there is to be no copy. */
  readonly isHeld: boolean
}

/** What tenants may put on the host in objects of one kind. Pure. */
export interface ObjectPolicy {
  /** Filters an object under its name on the host, before any patch. It may name its companions. */
  filter(object: KubeObject, companions?: readonly string[]): Filtered
  /** Whether a tenant may set this label or annotation on the host. */
  mayCarry(map: KeyMap, key: string, value: string): boolean
}

/** What is left of the fields of an object. */
export interface JudgedFields {
  readonly fields: ObjectFields
  readonly refusals: readonly Refusal[]
  readonly isHeld?: boolean
}

export interface FieldContext {
  readonly policies: SyncPolicies
  readonly pods: PodPolicies
  readonly hostClusterDomain: string
  readonly setting: Pick<KindSetting, 'names'>
  /** An annotation was left out that a component of the host acts on: without it the object may do something else. */
  readonly lacksInstruction: boolean
  /** Those that the object keeps. */
  readonly annotations: TextMap
  /** Objects of the host that are there for this one alone. */
  readonly companions: readonly string[]
}

/** The part of the policy that looks at the fields of one kind. */
export type FieldRule = (fields: ObjectFields, context: FieldContext) => JudgedFields
