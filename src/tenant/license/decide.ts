import type { KeyObject } from 'node:crypto'
import { checkLicense } from '../../auth/license/check.ts'
import type { LicenseCheck } from '../../auth/license/contract.ts'
import { timestamp } from '../../base/clock.ts'
import type { NeededFeature } from './needed.ts'

/** Licenses as documents, from wherever one can come. */
export interface LicenseSources {
  /** A file or Secret that was given to the tenant itself. It comes first. */
  readonly given?: string
  /** What the platform told with a link of this run. */
  readonly told?: string
  /** What it told in an earlier run, for the time that it cannot be reached. */
  readonly kept?: string
}

export interface LicenseSetting {
  readonly needed: readonly NeededFeature[]
  readonly sources: LicenseSources
  /** Whether there is a key, so that a platform will tell sooner or later. */
  readonly hasPlatform: boolean
  /** Absent: the issuer is not known, so no license can be checked. */
  readonly issuerKey?: KeyObject
  readonly nowMs: number
}

export type LicenseDecision =
  /** With a warning where it stands on thin ice. */
  | { readonly state: 'granted'; readonly warning?: string }
  /** The platform has not reported yet whether there is a license. */
  | { readonly state: 'waiting'; readonly message: string }
  | { readonly state: 'refused'; readonly message: string }

/** Whether a tenant may start with its configuration. Whatever the answer, the process stays: nothing here is thrown. */
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

/** An end that comes while the platform cannot be asked is no end: there may be a new license there. */
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
  return { state: 'granted', warning: `${ended}; the tenant goes on until the platform can be asked` }
}

function refused(needed: NeededFeature, why: string): LicenseDecision {
  return { state: 'refused', message: `${subject(needed)}, and ${why}` }
}

function subject({ feature, field }: NeededFeature): string {
  return `${field} needs the feature ${feature}`
}
