/** A browser accepts it only from this host, over HTTPS and for all paths. It is sent to every port, though. */
export const sessionCookie = '__Host-tenant-session'

/** In a former release, it contained the access key itself. */
const formerCookie = 'tenant_session'

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict'

/** The value in a Cookie header; undefined if there is none, or several, which would be ambiguous. */
export function readSessionCookie(header: string | undefined): string | undefined {
  const values = valuesOf(header, sessionCookie)
  return values.length === 1 ? values[0] : undefined
}

export function printSessionCookie(handle: string, maxAgeSeconds: number): string {
  return `${sessionCookie}=${handle}; Max-Age=${maxAgeSeconds}; ${attributes}`
}

/** Makes a browser forget the session. */
export const endedSessionCookie = `${sessionCookie}=; Max-Age=0; ${attributes}`

/** Makes a browser forget a key that a former release stored there. */
export function formerCookieHeaders(header: string | undefined): readonly string[] {
  return valuesOf(header, formerCookie).length === 0 ? [] : ['Set-Cookie', `${formerCookie}=; Max-Age=0; ${attributes}`]
}

function valuesOf(header: string | undefined, name: string): readonly string[] {
  if (header === undefined || !header.includes(name)) return []
  return header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals >= 0 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : []
  })
}
