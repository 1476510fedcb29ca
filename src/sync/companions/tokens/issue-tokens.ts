import { ApiError } from '../../../api/error.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { type Clock, timestamp } from '../../../base/clock.ts'
import { errorText } from '../../../base/error-text.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import { serviceAccountType } from '../../../client/builtin-types.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { SyncTrouble } from '../../run/failures/failure.ts'
import type { RootCertificates } from './root-certificates.ts'
import { refreshAtMs, type TokenTimes, tokenTimes } from './token-times.ts'
import { rootCertificateKey, type WantedEntries, type WantedToken } from './wanted-tokens.ts'

/** The source of tokens and certificate authorities. */
export interface EntrySource {
  readonly virtual: KubeClient
  readonly certificates: Pick<RootCertificates, 'of'>
  readonly clock: Clock
}

export interface IssuedEntries {
  /** The data of a Secret. */
  readonly data: Readonly<Record<string, string>>
  /** When they were requested, and when to request new ones; absent: they do not expire. */
  readonly times?: { readonly issuedAt: string; readonly refreshAt: string }
}

interface IssuedToken {
  readonly key: string
  readonly token: string
  readonly times: TokenTimes
}

/**
 * Requests the tokens of one Pod from the virtual cluster: for its own account, and valid as long as this Pod exists.
 */
export async function issueEntries(
  pod: Pod,
  { tokens, hasRootCertificate }: WantedEntries,
  { virtual, certificates, clock }: EntrySource,
  signal: AbortSignal,
): Promise<IssuedEntries> {
  const [certificate, ...issued] = await Promise.all([
    hasRootCertificate ? certificates.of(pod.metadata.namespace ?? '', signal) : undefined,
    ...tokens.map((wanted) => issueToken(pod, wanted, virtual, clock, signal)),
  ])
  const entries = issued.map(({ key, token }) => [key, base64(token)] as const)
  return {
    data: {
      ...Object.fromEntries(entries),
      ...(certificate !== undefined && { [rootCertificateKey]: base64(certificate) }),
    },
    ...(issued.length > 0 && { times: timesOf(issued.map(({ times }) => times)) }),
  }
}

function timesOf(tokens: readonly TokenTimes[]): NonNullable<IssuedEntries['times']> {
  const issuedAtMs = Math.max(...tokens.map((token) => token.issuedAtMs))
  return { issuedAt: timestamp(issuedAtMs), refreshAt: timestamp(refreshAtMs(tokens)) }
}

async function issueToken(
  pod: Pod,
  { key, audience, seconds }: WantedToken,
  virtual: KubeClient,
  clock: Clock,
  signal: AbortSignal,
): Promise<IssuedToken> {
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const account = pod.spec.serviceAccountName || 'default'
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: {
      audiences: audience === '' ? [] : [audience],
      expirationSeconds: seconds,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    },
  }
  const askedAtMs = clock.now()
  const request = { subresource: 'token', body }
  const { status } = await virtual
    .createUnder(serviceAccountType, { namespace, name: account }, request, signal)
    .catch((error: unknown) => {
      throw noToken(account, error)
    })
  const { token, expirationTimestamp } = asMembers(status)
  if (typeof token !== 'string' || token === '') throw noToken(account, new Error('the answer holds none'))
  return { key, token, times: tokenTimes(askedAtMs, seconds, expirationTimestamp) }
}

const comesBack: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** A server that cannot answer now is asked again; a refusal is reported to the owner. */
function noToken(account: string, error: unknown): unknown {
  if (error instanceof ApiError ? comesBack.has(error.code) : !(error instanceof Error) || error.name !== 'Error') {
    return error
  }
  const reason = errorText(error)
  const message = `the virtual cluster issues no token of the ServiceAccount ${account}: ${reason}`
  return new SyncTrouble({ reason: 'TokenRefused', message })
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
