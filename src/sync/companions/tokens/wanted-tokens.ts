import type { Pod, ServiceAccountTokenProjection } from '../../../api/types/core-v1.ts'
import type { HostNames } from '../../contract.ts'
import { hostName, nameHash } from '../../names/host-name.ts'

/** The ConfigMap in which every cluster publishes its certificate authority, in each namespace. */
export const rootCertificateMap = 'kube-root-ca.crt'
export const rootCertificateKey = 'ca.crt'

const defaultSeconds = 3_600

/** A token that a volume of a Pod requests. Volumes with the same request share it. */
export interface WantedToken {
  /** The entry of the Secret that contains it. */
  readonly key: string
  /** Empty: the API server of the virtual cluster. */
  readonly audience: string
  readonly seconds: number
}

/** The required entries of a Pod's Secret. */
export interface WantedEntries {
  readonly tokens: readonly WantedToken[]
  readonly hasRootCertificate: boolean
}

/** The entry for a token. It depends only on the token's request, not on where it is mounted. */
export function tokenKey({ audience = '', expirationSeconds }: ServiceAccountTokenProjection): string {
  return `token-${nameHash(JSON.stringify([audience, expirationSeconds ?? defaultSeconds]))}`
}

/** Undefined if the Pod needs no such Secret. */
export function wantedEntries({ spec }: Pod): WantedEntries | undefined {
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? [])
  const tokens = new Map<string, WantedToken>()
  for (const { serviceAccountToken } of sources) {
    if (!serviceAccountToken) continue
    const { audience = '', expirationSeconds: seconds } = serviceAccountToken
    const key = tokenKey(serviceAccountToken)
    tokens.set(key, { key, audience, seconds: seconds ?? defaultSeconds })
  }
  const hasRootCertificate = sources.some(({ configMap }) => configMap?.name === rootCertificateMap)
  return tokens.size === 0 && !hasRootCertificate ? undefined : { tokens: [...tokens.values()], hasRootCertificate }
}

/**
 * The name of a Pod's Secret on the host. No object of a virtual cluster can have it, because its names have no slash.
 * A Pod that is created again gets another one: the host deletes the old one with the old Pod, at a time of its choice.
 */
export function tokenSecretName(
  { metadata }: Pod,
  { tenant, tenantNamespace }: Pick<HostNames, 'tenant' | 'tenantNamespace'>,
): string {
  const { namespace = '', name = '', uid = '' } = metadata
  return hostName({ hostNamespace: tenantNamespace, tenant, namespace, name: `${name}/tokens/${uid}` })
}
