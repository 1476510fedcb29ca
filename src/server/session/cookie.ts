export const sessionCookie = 'tenant_session'

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict'

/** What a browser says of its session. */
export type SessionCookie =
  | { readonly form: 'none' }
  /** Given twice, or not as it was set: nobody can tell which one was meant. */
  | { readonly form: 'malformed' }
  | { readonly form: 'token'; readonly token: string }

export function readSessionCookie(header: string | undefined): SessionCookie {
  if (header === undefined || !header.includes(sessionCookie)) return { form: 'none' }
  const values = header.split(';').flatMap(sessionValue)
  const [value] = values
  if (value === undefined) return { form: 'none' }
  const token = values.length > 1 ? undefined : decoded(value)
  return token === undefined || token === '' ? { form: 'malformed' } : { form: 'token', token }
}

export function printSessionCookie(token: string, maxAgeSeconds: number): string {
  return `${sessionCookie}=${encodeURIComponent(token)}; Max-Age=${maxAgeSeconds}; ${attributes}`
}

/** Makes a browser forget the session. */
export const endedSessionCookie = `${sessionCookie}=; Max-Age=0; ${attributes}`

/** The header without the session, for whoever passes requests on; undefined when nothing else is in it. */
export function withoutSessionCookie(header: string): string | undefined {
  const others = header.split(';').filter((pair) => sessionValue(pair).length === 0)
  const rest = others.map((pair) => pair.trim()).filter((pair) => pair !== '')
  return rest.length === 0 ? undefined : rest.join('; ')
}

function sessionValue(pair: string): readonly string[] {
  const equals = pair.indexOf('=')
  return equals >= 0 && pair.slice(0, equals).trim() === sessionCookie ? [pair.slice(equals + 1).trim()] : []
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
