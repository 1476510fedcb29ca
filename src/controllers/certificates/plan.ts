import { nodeClientSigner } from '../../api/certificates/signers.ts'
import type { CertificateSigningRequest } from '../../api/types/certificates-v1.ts'
import type { CertifiedUse, Validity } from '../../base/certificates/issue.ts'
import type { SigningRequest } from '../../base/certificates/signing-request.ts'
import { commonNameIn } from '../../base/certificates/subject.ts'
import { nodeClientProblem, signerRules } from './signer-rules.ts'

/** What a certificate request waits for. */
export type RequestStage = 'approval' | 'signature' | 'nothing'

export function stageOf({ spec, status }: CertificateSigningRequest): RequestStage {
  const holds = (type: string) => (status.conditions ?? []).some((each) => each.type === type)
  if ((status.certificate ?? '') !== '' || holds('Denied') || holds('Failed')) return 'nothing'
  if (!signerRules.has(spec.signerName)) return 'nothing'
  return holds('Approved') ? 'signature' : 'approval'
}

const second = 1_000

/** A request that is older than the authority may have been approved under earlier rules. Objects tell full seconds. */
export function ageProblem({ metadata }: CertificateSigningRequest, authorityMadeMs: number): string | undefined {
  if (Date.parse(metadata.creationTimestamp ?? '') >= authorityMadeMs - (authorityMadeMs % second)) return undefined
  return 'the request is older than the authority that would sign it: create it again'
}

/** Why the signer refuses the request. */
export function signerProblem({ spec }: CertificateSigningRequest, request: SigningRequest): string | undefined {
  return signerRules.get(spec.signerName)?.(request, spec.usages ?? [])
}

/** The right by which a node's request is approved without a user, and the message for it. */
export interface AutomaticApproval {
  readonly subresource: 'nodeclient' | 'selfnodeclient'
  readonly message: string
}

/** A node with a certificate may get its next one, and a joining node its first, if RBAC allows it. */
export function automaticApprovals(
  { spec }: CertificateSigningRequest,
  request: SigningRequest,
): readonly AutomaticApproval[] {
  if (spec.signerName !== nodeClientSigner || nodeClientProblem(request, spec.usages ?? []) !== undefined) return []
  const text = (whose: string) => `Auto approving ${whose}kubelet client certificate after SubjectAccessReview.`
  const isOwn = spec.username === commonNameIn(request.subject)
  return [
    ...(isOwn ? [{ subresource: 'selfnodeclient', message: text('self ') } as const] : []),
    { subresource: 'nodeclient', message: text('') },
  ]
}

const minuteMs = 60_000
const usualMs = 365 * 24 * 60 * minuteMs
const leastMs = 10 * minuteMs
/** Clocks of verifiers may be behind. */
const backdateMs = 5 * minuteMs
/** Shorter certificates last as long as requested: backdating must not shorten them. */
const shortMs = 8 * 60 * minuteMs

/** One year, or the requested time if shorter, and never longer than the authority. */
export function validityOf({ spec }: CertificateSigningRequest, nowMs: number, authorityEndsMs: number): Validity {
  const asked = spec.expirationSeconds === undefined ? usualMs : spec.expirationSeconds * 1000
  const lastsMs = Math.max(leastMs, Math.min(asked, usualMs))
  const endMs = nowMs + (lastsMs < shortMs ? lastsMs : lastsMs - backdateMs)
  return { notBeforeMs: nowMs - backdateMs, notAfterMs: Math.min(endMs, authorityEndsMs) }
}

const allUses: readonly CertifiedUse[] = ['digital signature', 'key encipherment', 'client auth', 'server auth']

/** The rules of the signers allow no others. */
export function certifiedUses({ spec }: CertificateSigningRequest): readonly CertifiedUse[] {
  return allUses.filter((use) => spec.usages?.includes(use))
}
