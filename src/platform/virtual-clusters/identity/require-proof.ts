import { conflict, notFound } from '../../../api/error.ts'
import { hashProof } from '../../../auth/proofs/proof-value.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import type { ObjectId } from '../../../registry/document.ts'
import { caughtUp } from '../../../registry/freshness.ts'
import { linkStateOf } from '../link-state.ts'
import { changeIdentity } from './change-identity.ts'
import { provenCondition, withProvenCondition } from './identity-status.ts'
import { type ProofRefusal, proofRefused } from './proof-refused.ts'
import { proofResultOf, provenBy } from './proof-result.ts'
import { sealedIdentityOf } from './sealed-identity.ts'

export interface ProofParts {
  readonly virtualClusters: () => ResourceContext
  readonly onRefused: (refusal: ProofRefusal) => void
}

/**
 * A tenant that links must send its proof; an issued proof becomes permanent when it is first used. Resolves to its
 * hash.
 */
export async function requireProof(
  { virtualClusters, onRefused }: ProofParts,
  { namespace, name, keyName }: ObjectId & { readonly keyName: string },
  shown: string,
): Promise<string> {
  const instances = virtualClusters()
  const nowMs = instances.engine.clock.now()
  await caughtUp(instances.engine)
  const document = instances.cache.get({ namespace, name })
  if (document === undefined) throw notFound(instances.kind, name)
  const standing = proofResultOf(sealedIdentityOf(document), shown, nowMs)
  if (standing === 'offered' && !(await confirm(instances, { namespace, name }, shown, nowMs))) {
    throw conflict(
      instances.kind,
      name,
      'another process has proven to be this virtual cluster meanwhile; register again',
    )
  }
  if (standing === 'offered' || standing === 'proven') return hashProof(shown)
  const refusal = { namespace, name, keyName, asked: 'link', standing: shown === '' ? 'missing' : 'wrong' } as const
  onRefused(refusal)
  throw proofRefused(instances.kind, refusal, linkStateOf(document).place.virtualCluster)
}

function confirm(instances: ResourceContext, id: ObjectId, shown: string, nowMs: number): Promise<boolean> {
  return changeIdentity(instances, id, (current) => {
    const standing = proofResultOf(sealedIdentityOf(current), shown, nowMs)
    if (standing !== 'proven' && standing !== 'offered') return undefined
    return { identity: provenBy(shown), object: withProvenCondition(current.object, provenCondition, nowMs) }
  })
}
