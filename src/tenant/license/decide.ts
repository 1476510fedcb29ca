import type { KeyObject } from 'node:crypto'
import { checkLicense } from '../../auth/license/check.ts'
import type { LicenseCheck } from '../../auth/license/contract.ts'
import { timestamp } from '../../base/clock.ts'
import type { NeededFeature } from './needed.ts'

/** License documents from all possible sources. */
export interface LicenseSources {
  /** A file or Secret given to the tenant itself. It takes precedence. */
  readonly given?: string
  /** Sent by the platform with a link of this run. */
  readonly told?: string
  /** Sent by the platform in an earlier run, for when it cannot be reached. */
  readonly kept?: string
}

export interface LicenseSetting {
  readonly needed: readonly NeededFeature[]
  readonly sources: LicenseSources
  /** Whether there is a key, so that the platform will send a license sooner or later. */
  readonly hasPlatform: boolean
  /** Absent: the issuer is not known, so no license can be verified. */
  readonly issuerKey?: KeyObject
  readonly nowMs: number
}

export type LicenseDecision =
  /** With a warning if the license has ended while the platform cannot be asked for a new one. */
  | { readonly state: 'granted'; readonly warning?: string }
  /** The platform has not reported yet whether there is a license. */
  | { readonly state: 'waiting'; readonly message: string }
  | { readonly state: 'refused'; readonly message: string }

/** Whether a tenant may start with its configuration. Never throws: the process continues whatever the answer. */
export async function decideLicense(setting: LicenseSetting): Promise<LicenseDecision> {
  const { needed, sources, issuerKey, nowMs, hasPlatform } = setting
  const [first] = needed
  if (first === undefined) return { state: 'granted' }
  const document = sources.given ?? sources.told ?? sources.kept
  if (document === undefined && hasPlatform) {
    return {
      state: 'waiting',
      message: `${subject(first)}; waiting for the platform to say whether there is a license`,
    }
  }
  if (document === undefined) return refused(first, 'the tenant has neither a license nor a platform')
  if (issuerKey === undefined) {
    return refused(first, 'the public key of the issuer of licenses is not known here (license.issuerKey)')
  }
  const isKept = document === sources.kept && sources.told === undefined
  return judge(await checkLicense(document, issuerKey, nowMs), needed, isKept)
}

/** An expiry while the platform cannot be reached does not count: it may have a new license. */
function judge(check: LicenseCheck, needed: readonly NeededFeature[], isKept: boolean): LicenseDecision {
  const [first] = needed
  if (first === undefined) return { state: 'granted' }
  if (!('license' in check)) return refused(first, `the license cannot be used: ${check.message}`)
  const { license, state } = check
  const lacking = needed.find(({ feature }) => !license.features.includes(feature))
  if (lacking !== undefined) return refused(lacking, `the license of ${license.issuedTo} does not include it`)
  if (state === 'valid') return { state: 'granted' }
  if (state === 'not-yet-valid') {
    return refused(first, `the license begins ${timestamp(license.issuedAtMs)}; is the clock right?`)
  }
  const ended = `the license of ${license.issuedTo} ended ${timestamp(license.expiresAtMs ?? 0)}`
  if (!isKept) return refused(first, ended)
  return { state: 'granted', warning: `${ended}; the tenant continues until the platform is available` }
}

function refused(needed: NeededFeature, why: string): LicenseDecision {
  return { state: 'refused', message: `${subject(needed)}, and ${why}` }
}

function subject({ feature, field }: NeededFeature): string {
  return `${field} needs the feature ${feature}`
}
