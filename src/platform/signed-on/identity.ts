import type { AccessKeySpec } from '../../api/types/management.ts'
import type { SignedOn } from '../../auth/signed-on.ts'
import { timestamp } from '../../base/clock.ts'
import type { SealedKey } from '../access-keys/record/sealed-key.ts'

/** The part of a sign-in that its key shows. */
export function shownIdentity(signedOn: SignedOn, nowMs: number): NonNullable<AccessKeySpec['identity']> {
  const { connectorData: _, providerSession: __, latestEndMs: ___, extraClaims, ...told } = signedOn
  return {
    ...told,
    ...(Object.keys(extraClaims).length === 0 ? {} : { extraClaims }),
    identityRefresh: timestamp(nowMs),
  }
}

/** The part of a sign-in that never leaves the server. */
export function hiddenOf(signedOn: SignedOn | undefined): Pick<SealedKey, 'connectorData' | 'providerSession'> {
  const { connectorData, providerSession } = signedOn ?? {}
  return {
    ...(connectorData === undefined ? {} : { connectorData }),
    ...(providerSession === undefined ? {} : { providerSession }),
  }
}
