import { addressOf } from './address.ts'

type Environment = Readonly<Record<string, string | undefined>>

const loopback = /^(?:localhost|127\..*|\[::1\])$/

/**
 * The proxy that the environment names for a URL, by HTTPS_PROXY, HTTP_PROXY and NO_PROXY in either spelling. As in
 * kubectl, there is never one for this machine itself.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const text = read(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') || read(env, 'all_proxy')
  if (text === '' || loopback.test(url.hostname) || isExempt(url, read(env, 'no_proxy'))) return undefined
  const address = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(address) ? new URL(address) : undefined
  return proxy?.protocol === 'http:' ? proxy : undefined
}

function read(env: Environment, name: string): string {
  return env[name] || env[name.toUpperCase()] || ''
}

/** Entries are `*`, a host, a domain with or without a leading dot, and any of these with a port. */
function isExempt(url: URL, list: string): boolean {
  const { host, port } = addressOf(url)
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && exempts(entry, host.toLowerCase(), String(port)))
}

function exempts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, name = entry, entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  if (entryPort !== undefined && entryPort !== port) return false
  const domain = name.replace(/^\*?\./, '')
  return host === domain || host.endsWith(`.${domain}`)
}
