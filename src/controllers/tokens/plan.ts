import { serviceAccountNameAnnotation } from '../../api/core/secret.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Secret } from '../../api/types/core-v1.ts'
import { unverifiedClaims } from '../../auth/jwt.ts'
import { numberAt } from '../../auth/member.ts'

export const tokenSecretType = 'kubernetes.io/service-account-token'
const accountUidAnnotation = 'kubernetes.io/service-account.uid'

/** The lifetime of a token in a Secret. It is replaced when half of that is over. */
export const tokenLifeSeconds = 365 * 24 * 3_600

/** Empty if the Secret is not meant for a token. */
export function accountIn({ metadata, type }: Secret): string {
  return type === tokenSecretType ? (metadata.annotations?.[serviceAccountNameAnnotation] ?? '') : ''
}

/** Whether the account that it names exists, and is the one for which it was filled. */
export function belongsTo({ metadata }: Secret, account: KubeObject | undefined): boolean {
  const uid = metadata.annotations?.[accountUidAnnotation] ?? ''
  return account !== undefined && (uid === '' || uid === account.metadata.uid)
}

/** A token from another issuer stays: its writer may have put it there. */
export function needsToken({ data }: Secret, issuer: string, nowMs: number): boolean {
  const token = textIn(data?.token)
  if (token === '') return true
  const claims = unverifiedClaims(token)
  if (claims?.iss !== issuer) return false
  const endsAtMs = (numberAt(claims, 'exp') ?? 0) * 1000
  return endsAtMs - nowMs < (tokenLifeSeconds / 2) * 1000
}

export interface TokenFill {
  readonly accountUid: string
  readonly rootCertificate: string
  /** Undefined: the existing one stays. */
  readonly token: string | undefined
}

/** The Secret with everything that its readers expect; undefined if it is complete. */
export function filledSecret(secret: Secret, { accountUid, rootCertificate, token }: TokenFill): Secret | undefined {
  const { data = {}, metadata } = secret
  const { annotations = {}, namespace = '' } = metadata
  const missing = {
    ...(data['ca.crt'] === undefined && { 'ca.crt': encoded(rootCertificate) }),
    ...(data.namespace === undefined && { namespace: encoded(namespace) }),
    ...(token !== undefined && { token: encoded(token) }),
  }
  const isFilled = Object.keys(missing).length === 0 && annotations[accountUidAnnotation] === accountUid
  if (isFilled) return undefined
  return {
    ...secret,
    metadata: { ...metadata, annotations: { ...annotations, [accountUidAnnotation]: accountUid } },
    data: { ...data, ...missing },
  }
}

function textIn(entry: string | undefined): string {
  return Buffer.from(entry ?? '', 'base64').toString('utf8')
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}
