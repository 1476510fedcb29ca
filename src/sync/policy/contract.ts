import type { KeyMap } from '../../api/host-controllers.ts'
import type { KubeObject } from '../../api/object.ts'
import type { PodPolicies, SyncPolicies } from '../../api/tenant-config/types.ts'
import type { KindSetting, ObjectFields, TextMap } from '../contract.ts'

/** The deciding member of `policies.sync` or `policies.pods`, or a rule without a setting. */
export type RuleName = keyof SyncPolicies | keyof PodPolicies | 'secretTypes' | 'claims' | 'podFields'

/** Something a tenant wrote that is kept from the host. */
export interface Refusal {
  readonly rule: RuleName
  /** Its path, such as `spec.externalIPs[0]`. */
  readonly field: string
  /** Completes "… is not carried to the host: …". */
  readonly reason: string
  /** How the operator can allow it. */
  readonly remedy: string
  /** The label or annotation concerned. */
  readonly key?: { readonly map: KeyMap; readonly name: string }
}

/** An object after filtering. */
export interface Filtered {
  readonly object: KubeObject
  readonly refusals: readonly Refusal[]
  /**
   * Whether the rest makes no sense on the host, or would do more than its owner wrote, so that there must be no copy.
   */
  readonly isHeld: boolean
}

/** What tenants may put on the host in objects of one kind. Pure. */
export interface ObjectPolicy {
  /** Filters an object under its name on the host, before any patch. It may name its companions. */
  filter(object: KubeObject, companions?: readonly string[]): Filtered
  /** Whether a tenant may set this label or annotation on the host. */
  mayCarry(map: KeyMap, key: string, value: string): boolean
}

/** The fields of an object after filtering. */
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
  /**
   * Whether an annotation that a component of the host acts on was dropped: without it, the object may behave
   * differently.
   */
  readonly lacksInstruction: boolean
  /** The annotations that the object keeps. */
  readonly annotations: TextMap
  /** Names of companions of this object on the host. */
  readonly companions: readonly string[]
}

/** The part of the policy that checks the fields of one kind. */
export type FieldRule = (fields: ObjectFields, context: FieldContext) => JudgedFields
