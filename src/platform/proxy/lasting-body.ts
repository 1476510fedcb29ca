import { objectAt, textAt } from '../../auth/member.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'

/** A token of a service account, made with a key, lives no longer than that. */
export const longestTokenSeconds = 3_600
/** What API servers give at least. */
export const shortestTokenSeconds = 600

/** Types of Secrets that API servers take for credentials, and annotations by which they fill them in. */
const tokenMark = /kubernetes\.io\/service-account(-token$|\.name$|\.uid$)|bootstrap\.kubernetes\.io\/token$/

/** Entries may hold any text. */
const entries: ReadonlySet<string> = new Set(['data', 'stringData'])

/**
 * Whether a Secret, or a patch of one in any form, has to do with a token that has no end: by its type, or by annotations
 * that turn one there is into that of another account. Looked for wherever it may stand, also in the paths of a JSON Patch.
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

/** Signers whose certificates open an API. */
const clientSigner = /^kubernetes\.io\/(kube-apiserver-client|kube-apiserver-client-kubelet|legacy-unknown)$/

/** Whether a certificate request is for a certificate that gives access to an API. One that names no signer is. */
export function asksForClientCertificate(request: unknown): boolean {
  const signer = textAt(objectAt(asMembers(request), 'spec'), 'signerName')
  return signer === '' || clientSigner.test(signer)
}

/** The same request for a token with no more time than that, and whether it asked for more. */
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
