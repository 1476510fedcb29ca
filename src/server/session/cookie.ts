/** A browser accepts it only from this host, over HTTPS and for all paths. It is sent to every port, though. */
const sessionCookie = '__Host-tenant-session'

/** In a former release, it contained the access key itself. */
const formerCookie = 'tenant_session'

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict'

/** The value in a Cookie header; undefined if there is none, or several, which would be ambiguous. */
export function readSessionCookie(header: string | undefined): string | undefined {
  const values = cookieValues(header, sessionCookie)
  return values.length === 1 ? values[0] : undefined
}

export function printSessionCookie(handle: string, maxAgeSeconds: number): string {
  return `${sessionCookie}=${handle}; Max-Age=${maxAgeSeconds}; ${attributes}`
}

/** Makes a browser forget the session. */
export const endedSessionCookie = `${sessionCookie}=; Max-Age=0; ${attributes}`

/** Makes a browser forget a key that a former release stored there. */
export function formerCookieHeaders(header: string | undefined): readonly string[] {
  return cookieValues(header, formerCookie).length === 0
    ? []
    : ['Set-Cookie', `${formerCookie}=; Max-Age=0; ${attributes}`]
}

/**
 * All values of a cookie. Only blanks and tabs are no part of a name, as for browsers: a name that begins with another
 * kind of space is another name, which any sibling domain may set.
 */
export function cookieValues(header: string | undefined, name: string): readonly string[] {
  if (header === undefined || !header.includes(name)) return []
  return header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals >= 0 && stripped(pair.slice(0, equals)) === name ? [stripped(pair.slice(equals + 1))] : []
  })
}

function stripped(text: string): string {
  let [start, end] = [0, text.length]
  while (isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
