import { type Account, marks, originOf, originUid, type Seen } from './account.ts'

/** Tokens of Pods belong to these Pods, and are replaced before they expire. */
export function badTokens({ sights, endMs }: Account): readonly string[] {
  const ofSecrets = sights.filter(({ side, object }) => side === 'host' && isOfTokens(object))
  return ofSecrets.flatMap(({ type, object }, index) => {
    if (type === 'DELETED') return []
    const next = ofSecrets.slice(index + 1).find((later) => later.object.metadata.uid === object.metadata.uid)
    return tokensIn(object).flatMap((token) => complaintsAbout(token, object, next?.atMs ?? endMs))
  })
}

function isOfTokens({ metadata }: Seen): boolean {
  return metadata.labels?.[marks.companion] === 'tokens'
}

export interface SeenToken {
  readonly expiresAtMs: number
  readonly issuedAtMs: number
  readonly podUid: string | undefined
}

/** Every entry of a Secret that is a JWT. */
export function tokensIn({ data = {} }: Pick<Seen, 'data'>): readonly SeenToken[] {
  return Object.values(data).flatMap((value) => {
    const parts = Buffer.from(value, 'base64').toString().split('.')
    if (parts.length !== 3) return []
    const claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString())
    const podUid = claims['kubernetes.io']?.pod?.uid
    return [{ expiresAtMs: claims.exp * 1_000, issuedAtMs: claims.iat * 1_000, podUid }]
  })
}

function complaintsAbout({ expiresAtMs, podUid }: SeenToken, secret: Seen, untilMs: number): readonly string[] {
  return [
    ...(expiresAtMs > untilMs
      ? []
      : [`a token of ${originOf(secret)} was there for ${untilMs - expiresAtMs} ms after it had expired`]),
    ...(podUid === originUid(secret) ? [] : [`a token of ${originOf(secret)} is bound to ${podUid}`]),
  ]
}
