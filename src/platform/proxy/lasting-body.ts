import { objectAt, textAt } from '../../auth/member.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'

/** Maximum lifetime of a service account token that is requested with a key. */
export const longestTokenSeconds = 3_600
/** Minimum lifetime that API servers grant. */
export const shortestTokenSeconds = 600

/** Types of Secrets that API servers accept as credentials, and annotations by which they fill them in. */
const tokenMark = /kubernetes\.io\/service-account(-token$|\.name$|\.uid$)|bootstrap\.kubernetes\.io\/token$/

/** The values of these members may contain any text. */
const entries: ReadonlySet<string> = new Set(['data', 'stringData'])

/**
 * Whether a Secret, or a patch of one in any form, concerns a token that never ends: by its type, or by annotations
 * that would turn an existing Secret into a token of another account. Searches everywhere, including the paths of a
 * JSON Patch.
 */
export function makesToken(written: unknown): boolean {
  return isJsonObject(written)
    ? Object.entries(written).some(([name, value]) => isMarked(name, value))
    : mentions(written)
}

function isMarked(name: string, value: unknown): boolean {
  return tokenMark.test(name) || (!entries.has(name) && mentions(value))
}

function mentions(value: unknown): boolean {
  if (typeof value === 'string') return tokenMark.test(value.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (Array.isArray(value)) return value.some(mentions)
  return isJsonObject(value) && Object.entries(value).some(([name, each]) => tokenMark.test(name) || mentions(each))
}

/** Signers whose certificates grant access to an API. */
const clientSigner = /^kubernetes\.io\/(kube-apiserver-client|kube-apiserver-client-kubelet|legacy-unknown)$/

/** Whether a certificate request is for a certificate that grants access to an API. A request without a signer is. */
export function asksForClientCertificate(request: unknown): boolean {
  const signer = textAt(objectAt(asMembers(request), 'spec'), 'signerName')
  return signer === '' || clientSigner.test(signer)
}

/** The token request with its lifetime limited, and whether it asked for more. */
export function withShorterLife(
  request: unknown,
  longestSeconds: number,
): { readonly request: unknown; readonly isShorter: boolean } {
  if (!isJsonObject(request)) return { request, isShorter: false }
  const spec = objectAt(request, 'spec') ?? {}
  const { expirationSeconds: asked } = spec
  const isShorter = typeof asked === 'number' && asked > longestSeconds
  const expirationSeconds = typeof asked === 'number' && !isShorter ? asked : longestSeconds
  return { request: { ...request, spec: { ...spec, expirationSeconds } }, isShorter }
}
