import type { ServerMetadata } from 'openid-client'
import { SignOnFailure } from '../failure.ts'

const needed = ['authorization_endpoint', 'token_endpoint'] as const
const addresses = [...needed, 'jwks_uri', 'userinfo_endpoint'] as const
const lists = ['token_endpoint_auth_methods_supported', 'code_challenge_methods_supported', 'scopes_supported'] as const
/** Browsers are sent to one of them, with as much again behind it. */
const longestAddress = 2_048

/** What a provider says of itself, if it can be used as it is: the library looks at some of it, and we at some more. Throws SignOnFailure. */
export function usableMetadata(metadata: ServerMetadata): ServerMetadata {
  for (const name of needed) if (metadata[name] === undefined) throw unusable(name)
  for (const name of addresses) if (!isAddress(metadata[name])) throw unusable(name)
  for (const name of lists) if (!isList(metadata[name])) throw unusable(name)
  return metadata
}

function isAddress(value: unknown): boolean {
  if (value === undefined) return true
  return typeof value === 'string' && value.length <= longestAddress && URL.canParse(value)
}

function isList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'))
}

function unusable(name: string): SignOnFailure {
  return new SignOnFailure('untrusted', `the provider describes itself with a ${name} that makes no sense`)
}
