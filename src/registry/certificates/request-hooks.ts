import type { ResourceAttributes } from '../../api/access.ts'
import { certificatesGroup } from '../../api/certificates/certificate-signing-request.ts'
import { clientSigner } from '../../api/certificates/signers.ts'
import { forbidden, invalid } from '../../api/error.ts'
import { invalidFieldAs } from '../../api/field-error.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { Kind } from '../../api/kind.ts'
import type { CertificateSigningRequest } from '../../api/types/certificates-v1.ts'
import type { SigningRequest } from '../../base/certificates/signing-request.ts'
import type { Clock } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Hooks } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import { withConditionTimes } from './condition-times.ts'
import { certificateProblem } from './issued-certificate.ts'
import { mastersProblem } from './masters-problem.ts'
import { readSigningRequestOf } from './read-request.ts'
import { withRequester } from './requester.ts'

/**
 * Checks that need more than the object: whether the request can be read and was signed with its key, who sent it, and
 * whether a caller may approve for its signer, or sign as it.
 */
export function certificateRequestHooks(kind: Kind, clock: Clock): Hooks {
  return {
    admitCreate: async (object, { user }) => {
      const request = object as CertificateSigningRequest
      requireHarmless(kind, request, await requireReadable(kind, request))
      return { object: withRequester(object, user) }
    },
    admitUpdate: async (object, { object: old }, request) => {
      const [changed, before] = [object as CertificateSigningRequest, old as CertificateSigningRequest]
      if (request.subresource === '') return { object }
      requireCertificate(kind, changed, before)
      await requireRight(kind, changed, before, request)
      return { object: withConditionTimes(changed, before, clock.now()) }
    },
  }
}

async function requireReadable(kind: Kind, object: CertificateSigningRequest): Promise<SigningRequest> {
  const read = await readSigningRequestOf(object)
  if (read.outcome === 'read') return read.request
  throw invalid(kind, object.metadata.name ?? '', [invalidFieldAs('spec.request', '<request>', read.problem)])
}

/** No certificate may give its owner rights that no rule of the cluster can revoke. */
function requireHarmless(kind: Kind, { metadata, spec }: CertificateSigningRequest, request: SigningRequest): void {
  const problem = spec.signerName === clientSigner ? mastersProblem(request) : undefined
  if (problem !== undefined) throw forbidden(kind, metadata.name ?? '', problem)
}

function requireCertificate(kind: Kind, changed: CertificateSigningRequest, old: CertificateSigningRequest): void {
  const { certificate = '' } = changed.status
  if (certificate === '' || certificate === old.status.certificate) return
  const problem = certificateProblem(Buffer.from(certificate, 'base64').toString('latin1'))
  if (problem === undefined) return
  throw invalid(kind, changed.metadata.name ?? '', [
    invalidFieldAs('status.certificate', '"<certificate data>"', problem),
  ])
}

/** Approving requires the right to `approve` for the signer, and issuing the right to `sign`. */
async function requireRight(
  kind: Kind,
  changed: CertificateSigningRequest,
  { spec, status }: CertificateSigningRequest,
  request: WriteRequest,
): Promise<void> {
  const isApproval = request.subresource === 'approval'
  if (!isApproval && deepEqual(status, changed.status)) return
  const verb = isApproval ? 'approve' : 'sign'
  if (await mayActFor(spec.signerName, verb, request)) return
  const problem = `user not permitted to ${verb} requests with signerName ${quoted(spec.signerName)}`
  throw forbidden(kind, changed.metadata.name ?? '', problem)
}

/** A right may name one signer, or all signers of a domain: `example.com/*`. */
async function mayActFor(signer: string, verb: string, { user, authorize }: WriteRequest): Promise<boolean> {
  const [domain = ''] = signer.split('/')
  for (const name of [signer, `${domain}/*`]) {
    const question: ResourceAttributes = {
      user,
      verb,
      group: certificatesGroup,
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      name,
    }
    if ((await authorize(question)).verdict === 'allow') return true
  }
  return false
}
