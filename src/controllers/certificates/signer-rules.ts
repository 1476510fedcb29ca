import { clientSigner, nodeClientSigner, nodeServingSigner } from '../../api/certificates/signers.ts'
import type { SigningRequest } from '../../base/certificates/signing-request.ts'
import { commonNameIn, organizationsIn } from '../../base/certificates/subject.ts'
import { mastersProblem } from '../../registry/certificates/masters-problem.ts'

/** Why a signer refuses a request. Undefined: it signs. */
export type SignerRule = (request: SigningRequest, usages: readonly string[]) => string | undefined

const clientUsages = ['client auth', 'digital signature', 'key encipherment']
const servingUsages = ['digital signature', 'key encipherment', 'server auth']
const optionalUsage = 'key encipherment'

/** The cluster's own signers. Requests for other signers are left to them. */
export const signerRules: ReadonlyMap<string, SignerRule> = new Map([
  [clientSigner, clientProblem],
  [nodeClientSigner, nodeClientProblem],
  [nodeServingSigner, nodeServingProblem],
])

/** Requests stored by an earlier version were not checked at creation. */
function clientProblem(request: SigningRequest, usages: readonly string[]): string | undefined {
  const masters = mastersProblem(request)
  if (masters !== undefined) return masters
  const other = usages.find((usage) => !clientUsages.includes(usage))
  if (other !== undefined) return `invalid usage for client certificate: ${other}`
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth'
}

export function nodeClientProblem({ subject, names }: SigningRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(organizationsIn(subject))) return 'subject organization is not system:nodes'
  if (names.dns.length > 0) return 'DNS subjectAltNames are not allowed'
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed'
  if (names.addresses.length > 0) return 'IP subjectAltNames are not allowed'
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed'
  return nodeNameProblem(commonNameIn(subject)) ?? usagesProblem(usages, clientUsages)
}

function nodeServingProblem({ subject, names }: SigningRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(organizationsIn(subject))) return 'subject organization is not system:nodes'
  if (names.dns.length === 0 && names.addresses.length === 0) return 'DNS or IP subjectAltName is required'
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed'
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed'
  return usagesProblem(usages, servingUsages) ?? nodeNameProblem(commonNameIn(subject))
}

function nodeNameProblem(commonName: string): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:'
}

function isOfNodes(organizations: readonly string[]): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes'
}

/** All wanted usages, and no other. Only RSA keys can use the optional one. */
function usagesProblem(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const isComplete = wanted.every((usage) => usage === optionalUsage || usages.includes(usage))
  if (isComplete && usages.every((usage) => wanted.includes(usage))) return undefined
  return `usages did not match [${wanted.join(' ')}]`
}
