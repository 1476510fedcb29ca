import { clientSigner } from '../../api/certificates/signers.ts'
import type { SigningRequest } from '../../base/certificates/signing-request.ts'
import { organizationsIn } from '../../base/certificates/subject.ts'

const mastersGroup = 'system:masters'

/**
 * Why no certificate may put a user into a group that no rule of the cluster can restrict. Blanks around the name are
 * ignored, as readers may trim them.
 */
export function mastersProblem({ subject }: SigningRequest): string | undefined {
  if (!organizationsIn(subject).some((organization) => organization.trim() === mastersGroup)) return undefined
  return `use of ${clientSigner} signer with ${mastersGroup} group is not allowed`
}
