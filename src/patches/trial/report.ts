import type { KubeObject } from '../../api/object.ts'
import type { PatchOutcome } from '../contract.ts'
import type { RoundTripVerdict } from '../round-trip/verdict.ts'

/** What `tenant patch test` found out, for people and for scripts. */
export interface PatchTestReport {
  /** Where the patches stand in tenant.yaml. */
  readonly field: string
  readonly policy: PolicyReport
  readonly toHost: DirectionReport
  readonly toVirtual: DirectionReport
  readonly roundTrip: readonly RoundTripEntry[]
}

/** What the policy keeps from the host. */
export interface PolicyReport {
  readonly refusals: readonly RefusedField[]
  /** Nothing of the object would be carried. */
  readonly isHeld: boolean
}

export interface RefusedField {
  readonly field: string
  readonly reason: string
  /** What the operator does to allow it. */
  readonly remedy: string
}

export interface DirectionReport {
  /** The object before any patch, already under its name on the other side. */
  readonly before: KubeObject
  readonly outcome: PatchOutcome<KubeObject>
}

export interface RoundTripEntry {
  readonly index: number
  readonly path: string
  readonly verdict: RoundTripVerdict
}

/** What the policy said, for scripts. */
export function policyJson({ isHeld, refusals }: PolicyReport) {
  return { held: isHeld, refused: refusals.map(({ field, reason, remedy }) => ({ field, reason, remedy })) }
}

/** Why the command fails; nothing if all is well. */
export function whyFailed({ toHost, toVirtual, roundTrip }: PatchTestReport): string | undefined {
  const failed = [toHost, toVirtual].filter(({ outcome }) => outcome.state === 'failed').length
  if (failed > 0) return failed === 2 ? 'a patch failed in each direction' : 'a patch failed'
  const lost = roundTrip.filter(({ verdict }) => verdict.verdict === 'counter-example').length
  if (lost === 0) return undefined
  return lost === 1 ? 'a pair of expressions does not cancel out' : `${lost} pairs of expressions do not cancel out`
}
