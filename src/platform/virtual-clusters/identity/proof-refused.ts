import { type ApiError, forbidden, refusedBy } from '../../../api/error.ts'
import { identitySecretName, proofMissing, proofWrong } from '../../../api/link.ts'
import { projectOfNamespace } from '../../../auth/scope/request.ts'
import type { ObjectId } from '../../../registry/document.ts'

export interface ProofRefusal extends ObjectId {
  readonly standing: 'missing' | 'wrong'
  readonly asked: 'register' | 'link'
  /** The access key of the request. */
  readonly keyName: string
}

/** The error that the operator of the virtual cluster sees. */
export function proofRefused(
  kind: { readonly plural: string; readonly group: string },
  { name, namespace, standing }: ProofRefusal,
  virtualCluster: string,
): ApiError {
  const shown = standing === 'missing' ? 'none was shown' : 'another was shown'
  const secret = identitySecretName(virtualCluster === '' ? name : virtualCluster)
  const message =
    `it takes the proof that the virtual cluster got when it first registered, and ${shown}. ` +
    `If it is the same one and its Secret ${secret} is lost, an administrator issues a new one: ` +
    `tenant platform reissue ${name} --project ${projectOfNamespace(namespace) ?? ''}`
  const causes = [{ reason: standing === 'missing' ? proofMissing : proofWrong, message }]
  return refusedBy('proof', forbidden(kind, name, message, { causes }))
}
