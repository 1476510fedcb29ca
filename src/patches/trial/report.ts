import type { KubeObject } from '../../api/object.ts'
import type { PatchOutcome } from '../contract.ts'
import type { RoundTripVerdict } from '../round-trip/verdict.ts'

/** The result of `tenant patch test`, for users and scripts. */
export interface PatchTestReport {
  /** The place of the patches in tenant.yaml. */
  readonly field: string
  readonly policy: PolicyReport
  readonly toHost: DirectionReport
  readonly toVirtual: DirectionReport
  readonly roundTrip: readonly RoundTripEntry[]
}

/** The parts that the policy keeps from the host. */
export interface PolicyReport {
  readonly refusals: readonly RefusedField[]
  /** Whether nothing of the object would be synced. */
  readonly isHeld: boolean
}

export interface RefusedField {
  readonly field: string
  readonly reason: string
  /** How the operator can allow it. */
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

/** The policy's result, for scripts. */
export function policyJson({ isHeld, refusals }: PolicyReport) {
  return { held: isHeld, refused: refusals.map(({ field, reason, remedy }) => ({ field, reason, remedy })) }
}

/** Why the command fails; undefined if all is well. */
export function whyFailed({ toHost, toVirtual, roundTrip }: PatchTestReport): string | undefined {
  const failed = [toHost, toVirtual].filter(({ outcome }) => outcome.state === 'failed').length
  if (failed > 0) return failed === 2 ? 'a patch failed in each direction' : 'a patch failed'
  const lost = roundTrip.filter(({ verdict }) => verdict.verdict === 'counter-example').length
  if (lost === 0) return undefined
  return lost === 1 ? 'a pair of expressions does not cancel out' : `${lost} pairs of expressions do not cancel out`
}
