import { timestamp } from '../../base/clock.ts'
import type { HeldLicense } from './license-holder.ts'

export type LinkAdmission = { readonly ok: true } | { readonly ok: false; readonly message: string }

export interface LinkAdmissionRequest {
  /** The number of virtual clusters already registered. */
  readonly registered: number
  /** Whether the virtual cluster that asks is among them: limits never cut off one that is already registered. */
  readonly isRegistered: boolean
}

/** Whether the license lets a virtual cluster link. */
export function admitLink(held: HeldLicense, { registered, isRegistered }: LinkAdmissionRequest): LinkAdmission {
  if (!('license' in held)) return refused(held.message)
  const { license, state } = held
  if (!license.features.includes('platform-link')) {
    return refused(`the license of ${license.issuedTo} does not include it`)
  }
  if (state === 'not-yet-valid') return refused(`the license begins ${timestamp(license.issuedAtMs)}`)
  if (state === 'expired' && !isRegistered) return refused(`the license ended ${timestamp(license.expiresAtMs ?? 0)}`)
  const most = license.limits.virtualClusters ?? Number.POSITIVE_INFINITY
  if (!isRegistered && registered >= most) {
    return refused(
      `the license of ${license.issuedTo} is for ${most} virtual clusters, and ${registered} are registered`,
    )
  }
  return { ok: true }
}

function refused(why: string): LinkAdmission {
  return { ok: false, message: `linking needs the feature platform-link: ${why}` }
}
