import type { VerifyingKey } from '../../base/keys/keypair.ts'
import type { ExtraRoute } from '../contract.ts'
import type { Response } from '../http.ts'

const jwksPath = '/openid/v1/jwks'

export interface IssuerDiscovery {
  readonly issuer: string
  readonly keys: () => readonly VerifyingKey[]
}

/** The documents with which others can verify service account tokens. They are not secret and are requested rarely. */
export function issuerDiscovery({ issuer, keys }: IssuerDiscovery): ExtraRoute {
  return ({ info }) => {
    if (info.form !== 'path' || info.verb !== 'get') return undefined
    switch (info.path) {
      case '/.well-known/openid-configuration':
        return () => publicly('application/json', configuration(issuer, keys()))
      case jwksPath:
        return () => publicly('application/jwk-set+json', { keys: keys().map(jwkOf) })
      default:
        return undefined
    }
  }
}

function configuration(issuer: string, keys: readonly VerifyingKey[]): object {
  return {
    issuer,
    jwks_uri: `${issuer}${jwksPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))],
  }
}

function jwkOf({ id, publicKey, algorithm }: VerifyingKey): object {
  const { kty, ...numbers } = publicKey.export({ format: 'jwk' })
  return { use: 'sig', kty, kid: id, alg: algorithm, ...numbers }
}

function publicly(contentType: string, value: object): Response {
  return {
    status: 200,
    headers: ['Cache-Control', 'public, max-age=3600', 'Content-Type', contentType],
    body: Buffer.from(JSON.stringify(value)),
  }
}
