import { objectIn, shownPart } from '../../backup/verify-backup.ts'
import { deepEqual } from '../../base/equal.ts'
import { reopened } from '../../platform/virtual-clusters/identity/proof-result.ts'
import { sealedIdentityForm } from '../../platform/virtual-clusters/identity/sealed-identity.ts'
import type { StoredValue } from '../../storage/contract.ts'
import { type AnyInstance, instanceIn } from './any-instance.ts'
import type { KnownRevocations } from './revocations.ts'

/** The storage keys of virtual clusters in the store of a platform, whatever its domain. */
export const virtualClusterPlace = /^\/objects\/management\.[^/]+\/virtualclusterinstances\//

export type RestoredIdentity =
  | { readonly isVoid: false }
  | { readonly isVoid: true; readonly name: string; readonly value: Uint8Array }

/**
 * A proof that was voided since the backup stays void, and one that was first used since is not issued to the next
 * registrant: an administrator issues another. If nothing is known, all proofs stay unchanged, and all access keys are
 * disabled.
 */
export function restoredIdentity({ key, value }: StoredValue, revocations: KnownRevocations): RestoredIdentity {
  const shown = shownPart(value)
  const instance = instanceIn(objectIn(shown, key))
  if (!isAnotherNow(instance, revocations)) return { isVoid: false }
  const sealed = JSON.stringify(sealedIdentityForm(reopened(0)))
  return { isVoid: true, name: instance.name, value: Buffer.concat([Buffer.from(shown), Buffer.from(`\n${sealed}`)]) }
}

function isAnotherNow(instance: AnyInstance, revocations: KnownRevocations): boolean {
  switch (revocations.known) {
    case 'nothing':
      return false
    case 'list':
      return revocations.revoked.has(instance.uid) || revocations.revoked.has(instance.name)
    case 'platform': {
      const now = revocations.instances.get(instance.uid)
      return now === undefined || !deepEqual(now.proven, instance.proven)
    }
  }
}
