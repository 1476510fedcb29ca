/** An absolute URL, or an absolute path, in the parts that Go finds in it. */
export interface RequestUri {
  readonly scheme: string
  /** Includes the port. */
  readonly host: string
  readonly path: string
  readonly query: string
  /** The text by which two URLs are compared. */
  readonly text: string
}

export type ParsedRequestUri = RequestUri | { readonly problem: string }

/** Longer texts are not URLs. */
export const longestUri = 65_536

export function parseRequestUri(text: string): ParsedRequestUri {
  const problem = (reason: string) => ({ problem: `parse ${JSON.stringify(text.slice(0, 200))}: ${reason}` })
  if (text === '') return problem('empty url')
  if (text.length > longestUri) return problem('too long')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return problem('net/url: invalid control character in URL')
  const [, scheme = ''] = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text) ?? []
  if (scheme === '' && text.startsWith(':')) return problem('missing protocol scheme')
  const rest = scheme === '' ? text : text.slice(scheme.length + 1)
  if (!rest.startsWith('/')) {
    if (scheme === '') return problem('invalid URI for request')
    return { scheme: scheme.toLowerCase(), host: '', path: '', query: queryOf(rest), text }
  }
  const beforeQuery = rest.replace(/[?#].*$/s, '')
  const hasAuthority = scheme !== '' && rest.startsWith('//')
  const [, authority = '', path = ''] = hasAuthority
    ? (/^\/\/([^/]*)(.*)$/s.exec(beforeQuery) ?? [])
    : ['', '', beforeQuery]
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const wrong = hostProblem(host) ?? escapeProblem(path)
  if (wrong !== undefined) return problem(wrong)
  return { scheme: scheme.toLowerCase(), host, path, query: queryOf(rest), text }
}

function queryOf(text: string): string {
  return /\?([^#]*)/.exec(text)?.[1] ?? ''
}

function hostProblem(host: string): string | undefined {
  const bracket = host.lastIndexOf(']')
  if (host.startsWith('[') && bracket < 0) return "missing ']' in host"
  const colon = host.indexOf(':', Math.max(0, bracket))
  const port = colon < 0 ? '' : host.slice(colon)
  if (port !== '' && !/^:\d*$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`
  const wrong = /[ "<>\\^`{|}]/.exec(host)?.[0]
  if (wrong !== undefined) return `invalid character ${JSON.stringify(wrong)} in host name`
  return escapeProblem(host)
}

function escapeProblem(text: string): string | undefined {
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text)?.[0]
  return wrong === undefined ? undefined : `invalid URL escape ${JSON.stringify(wrong)}`
}

export function urlHostName({ host }: RequestUri): string {
  const name = host.replace(/:\d*$/, '')
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name
}

export function portOf({ host }: RequestUri): string {
  return /:(\d*)$/.exec(host.slice(host.lastIndexOf(']') + 1))?.[1] ?? ''
}

/** Escapes characters that are not allowed in a path, without double escaping. */
export function escapedPathOf({ path }: RequestUri): string {
  return path.replace(/[^A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]+/gu, (characters) =>
    encodeURIComponent(wellFormed(characters)),
  )
}

/** Half of a surrogate pair has no encoding, and becomes U+FFFD. */
function wellFormed(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))
}

/** Names may occur several times. */
export function queryValues({ query }: RequestUri): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';')) continue
    const [name = '', ...value] = part.split('=')
    const key = decoded(name)
    const text = decoded(value.join('='))
    if (key === undefined || text === undefined) continue
    const known = found.get(key)
    if (known === undefined) found.set(key, [text])
    else known.push(text)
  }
  return found
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
