import type { PodSpec } from '../../../api/types/core-v1.ts'
import type { FieldContext, Refusal } from '../contract.ts'

/** The spec of a Pod after filtering. */
export interface JudgedPod {
  readonly spec: PodSpec
  readonly refusals: readonly Refusal[]
  readonly isHeld?: boolean
}

export type PodFieldRule = (spec: PodSpec, context: FieldContext) => JudgedPod

export function passedPod(spec: PodSpec): JudgedPod {
  return { spec, refusals: [] }
}

/** The Pod would behave differently without it, so there must be no copy. */
export function heldPod(spec: PodSpec, ...refusals: readonly Refusal[]): JudgedPod {
  return { spec, refusals, isHeld: refusals.length > 0 }
}

/** Tells the operator which setting of `policies.pods` allows it. */
export function podsAllowedWith(setting: string): string {
  return `policies.pods.${setting} in tenant.yaml allows it`
}
