import type { Json, JsonObject } from '../../../api/object.ts'
import type { SessionOrigin } from '../../../auth/keys/contract.ts'
import { isJsonObject } from '../../../base/json/member.ts'

/** The part of an access key that never leaves the server. It has no field for the plain value. */
export interface SealedKey {
  readonly hash: string
  readonly issuedAtMs: number
  /**
   * The uid of the User or Team when it became the owner: an owner created later under the same name is a different
   * one.
   */
  readonly ownerUid?: string
  /** For a refresh token: the uid of the OIDCClient that it was issued to. */
  readonly clientUid?: string
  /** The previous value, while both values are accepted. */
  readonly previous?: SealedPrevious
  readonly connectorData?: string
  /** The provider's id of the session, for a user who signed in at a provider. */
  readonly providerSession?: string
  readonly oidcTokens?: JsonObject
  /** Present only for sessions. */
  readonly session?: SessionOrigin
}

export interface SealedPrevious {
  readonly keyId: string
  readonly hash: string
  readonly validUntilMs: number
}

export function sealedForm(sealed: SealedKey): JsonObject {
  const { previous, session, ...rest } = sealed
  return {
    ...rest,
    ...(previous === undefined ? {} : { previous: { ...previous } }),
    ...(session === undefined ? {} : { session: { ...session, startedWith: { ...session.startedWith } } }),
  }
}

/** Undefined for an object that was stored without a sealed part; such a key grants no access. */
export function readSealed(sealed: JsonObject | undefined): SealedKey | undefined {
  if (sealed === undefined || typeof sealed.hash !== 'string' || sealed.hash === '') return undefined
  const { hash, issuedAtMs, ownerUid, clientUid, previous, connectorData, providerSession, oidcTokens, session } =
    sealed
  return {
    hash,
    issuedAtMs: typeof issuedAtMs === 'number' ? issuedAtMs : 0,
    ...(typeof ownerUid === 'string' ? { ownerUid } : {}),
    ...(typeof clientUid === 'string' ? { clientUid } : {}),
    ...previousOf(previous),
    ...(typeof connectorData === 'string' ? { connectorData } : {}),
    ...(typeof providerSession === 'string' ? { providerSession } : {}),
    ...(isObject(oidcTokens) ? { oidcTokens } : {}),
    ...sessionOf(session),
  }
}

/** An unreadable session has ended: it must not turn into a key that is not a session. */
function sessionOf(session: Json | undefined): Pick<SealedKey, 'session'> {
  if (session === undefined) return {}
  const { startedWith, latestEndMs, connectionWithin } = isObject(session) ? session : {}
  const { kind, uid, keyId, hash, connector, session: parent } = isObject(startedWith) ? startedWith : {}
  const hasEnd = typeof latestEndMs === 'number'
  if (hasEnd && kind === 'key' && typeof uid === 'string' && typeof keyId === 'string') {
    const within = typeof connectionWithin === 'string' ? { connectionWithin } : {}
    return { session: { startedWith: { kind, uid, keyId }, latestEndMs, ...within } }
  }
  if (hasEnd && kind === 'token' && typeof hash === 'string') {
    return { session: { startedWith: { kind, hash }, latestEndMs } }
  }
  if (hasEnd && kind === 'identity' && typeof connector === 'string') {
    const within = typeof parent === 'string' ? { session: parent } : {}
    return { session: { startedWith: { kind, connector, ...within }, latestEndMs } }
  }
  return { session: { startedWith: { kind: 'token', hash: '' }, latestEndMs: 0 } }
}

function previousOf(previous: Json | undefined): Pick<SealedKey, 'previous'> {
  if (!isObject(previous)) return {}
  const { keyId, hash, validUntilMs } = previous
  if (typeof keyId !== 'string' || typeof hash !== 'string' || typeof validUntilMs !== 'number') return {}
  return { previous: { keyId, hash, validUntilMs } }
}

function isObject(value: Json | undefined): value is JsonObject {
  return isJsonObject(value)
}
