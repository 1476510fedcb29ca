import { quoted } from './go-syntax.ts'
import { shortened } from './shortened.ts'

/** A URL in the parts that Go finds in it; Go accepts nearly any text. */
export interface GoUrl {
  readonly scheme: string
  /** Includes the port. */
  readonly host: string
  /** Absent: there is no `@`. */
  readonly user?: string
  readonly query: string
  readonly fragment: string
}

export type ParsedGoUrl = GoUrl | { readonly problem: string }

export function parseGoUrl(text: string): ParsedGoUrl {
  const [, whole = '', fragment = ''] = /^([^#]*)#?(.*)$/s.exec(text) ?? []
  const problem = (reason: string, of = whole) => ({ problem: `parse ${quoted(shortened(of))}: ${reason}` })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(whole)) return problem('net/url: invalid control character in URL')
  if (whole.startsWith(':')) return problem('missing protocol scheme')
  const [, scheme = ''] = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(whole) ?? []
  const [, rest = '', query = ''] =
    /^([^?]*)\??(.*)$/s.exec(scheme === '' ? whole : whole.slice(scheme.length + 1)) ?? []
  const found = { scheme: scheme.toLowerCase(), host: '', query, fragment }
  if (!rest.startsWith('/') && scheme !== '') return found
  if (!rest.startsWith('/') && /^[^/]*:/.test(rest)) return problem('first path segment in URL cannot contain colon')
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))
  const [, authority = '', path = ''] = hasAuthority ? (/^\/\/([^/]*)(.*)$/s.exec(rest) ?? []) : ['', '', rest]
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const wrong = hostProblem(host) ?? userProblem(authority.slice(0, Math.max(at, 0))) ?? escapeProblem(path)
  if (wrong !== undefined) return problem(wrong)
  const wrongAfter = escapeProblem(fragment)
  if (wrongAfter !== undefined) return problem(wrongAfter, text)
  return { ...found, host, ...(at >= 0 && { user: authority.slice(0, at) }) }
}

function hostProblem(host: string): string | undefined {
  const bracket = host.startsWith('[') ? host.lastIndexOf(']') : undefined
  if (bracket === -1) return "missing ']' in host"
  const colon = host.lastIndexOf(':')
  const port = bracket !== undefined ? host.slice(bracket + 1) : colon < 0 ? '' : host.slice(colon)
  if (!/^(:\d*)?$/.test(port)) return `invalid port ${quoted(port)} after host`
  const wrong = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(host)?.[0]
  if (wrong !== undefined) return `invalid character ${quoted(wrong)} in host name`
  // In a host, the only escaped ASCII character is the percent sign itself.
  const plain = /%(?!25)[0-7][0-9a-fA-F]/.exec(host)?.[0]
  return escapeProblem(host) ?? (plain === undefined ? undefined : `invalid URL escape ${quoted(plain)}`)
}

function userProblem(user: string): string | undefined {
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) ? escapeProblem(user) : 'net/url: invalid userinfo'
}

function escapeProblem(text: string): string | undefined {
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text)?.[0]
  return wrong === undefined ? undefined : `invalid URL escape ${quoted(wrong)}`
}
