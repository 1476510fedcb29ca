import type { JsonObject } from '../../../api/object.ts'
import type { AccessKeySpec } from '../../../api/types/management.ts'
import { type JwtClaims, unverifiedClaims } from '../../../auth/jwt.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { accessKeyOf } from './access-key.ts'
import { sealedOf } from './key-record.ts'

/** Shows `identity` in place of the deprecated `oidcLogin`, which is no longer written. */
export function withFoldedLogin(document: StoredDocument): StoredDocument {
  if (!document.mentions('oidcLogin')) return document
  const { object } = document
  const { spec = {} } = accessKeyOf(object)
  const folded = foldedLogin(spec, sealedOf(document)?.oidcTokens)
  return folded === spec ? document : document.showing({ ...object, spec: folded })
}

/**
 * `identity` takes precedence over `oidcLogin`. `tokens` are those of the login, which were verified when they arrived.
 */
export function foldedLogin(spec: AccessKeySpec, tokens: JsonObject | undefined): AccessKeySpec {
  if (spec.oidcLogin === undefined) return spec
  const { idToken } = tokens ?? {}
  const claims = typeof idToken === 'string' ? unverifiedClaims(idToken) : undefined
  const { lastRefresh } = spec.oidcLogin
  const told = { ...identityIn(claims ?? {}), ...(lastRefresh === undefined ? {} : { identityRefresh: lastRefresh }) }
  return Object.keys(told).length === 0 ? spec : { ...spec, identity: { ...told, ...spec.identity } }
}

export function withoutLogin(spec: AccessKeySpec): AccessKeySpec {
  const { oidcLogin: _, ...rest } = spec
  return rest
}

function identityIn(claims: JwtClaims): NonNullable<AccessKeySpec['identity']> {
  const { sub, preferred_username: username, name, email, email_verified: emailVerified, groups } = claims
  const told: readonly string[] = Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : []
  return {
    ...(typeof sub === 'string' ? { userId: sub } : {}),
    ...(typeof username === 'string' ? { username } : {}),
    ...(typeof name === 'string' ? { preferredUsername: name } : {}),
    ...(typeof email === 'string' ? { email } : {}),
    ...(typeof emailVerified === 'boolean' ? { emailVerified } : {}),
    ...(told.length > 0 ? { groups: told } : {}),
  }
}
