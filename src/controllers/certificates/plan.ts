import { nodeClientSigner } from '../../api/certificates/signers.ts'
import type { CertificateSigningRequest } from '../../api/types/certificates-v1.ts'
import type { CertifiedUse, Validity } from '../../base/certificates/issue.ts'
import type { SigningRequest } from '../../base/certificates/signing-request.ts'
import { commonNameIn } from '../../base/certificates/subject.ts'
import { nodeClientProblem, signerRules } from './signer-rules.ts'

/** What a request for a certificate waits for. */
export type RequestStage = 'approval' | 'signature' | 'nothing'

export function stageOf({ spec, status }: CertificateSigningRequest): RequestStage {
  const holds = (type: string) => (status.conditions ?? []).some((each) => each.type === type)
  if ((status.certificate ?? '') !== '' || holds('Denied') || holds('Failed')) return 'nothing'
  if (!signerRules.has(spec.signerName)) return 'nothing'
  return holds('Approved') ? 'signature' : 'approval'
}

/** A request that is older than the authority was approved, if it was, by rules that are not those of today. */
export function ageProblem({ metadata }: CertificateSigningRequest, authorityMadeMs: number): string | undefined {
  if (Date.parse(metadata.creationTimestamp ?? '') >= authorityMadeMs) return undefined
  return 'the request is older than the authority that would sign it: create it again'
}

/** Why the signer refuses the request. */
export function signerProblem({ spec }: CertificateSigningRequest, request: SigningRequest): string | undefined {
  return signerRules.get(spec.signerName)?.(request, spec.usages ?? [])
}

/** The right by which a request of a node is approved without a user, and what is said of it. */
export interface AutomaticApproval {
  readonly subresource: 'nodeclient' | 'selfnodeclient'
  readonly message: string
}

/** A node that has a certificate may have its next one, and a node that joins its first, if RBAC says so. */
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
/** Clocks of those who check it may be behind. */
const backdateMs = 5 * minuteMs
/** Shorter ones last as long as was asked for, and do not begin earlier at the cost of their end. */
const shortMs = 8 * 60 * minuteMs

/** A year, or as long as was asked for if that is less, and never longer than the authority. */
export function validityOf({ spec }: CertificateSigningRequest, nowMs: number, authorityEndsMs: number): Validity {
  const asked = spec.expirationSeconds === undefined ? usualMs : spec.expirationSeconds * 1000
  const lastsMs = Math.max(leastMs, Math.min(asked, usualMs))
  const endMs = nowMs + (lastsMs < shortMs ? lastsMs : lastsMs - backdateMs)
  return { notBeforeMs: nowMs - backdateMs, notAfterMs: Math.min(endMs, authorityEndsMs) }
}

const allUses: readonly CertifiedUse[] = ['digital signature', 'key encipherment', 'client auth', 'server auth']

/** The rules of the signers let no others through. */
export function certifiedUses({ spec }: CertificateSigningRequest): readonly CertifiedUse[] {
  return allUses.filter((use) => spec.usages?.includes(use))
}
