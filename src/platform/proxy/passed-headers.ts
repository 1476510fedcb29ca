/** About one connection only, or about who is asking: the platform says that itself. */
const kept: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'host', 'connection', 'keep-alive', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'expect', 'via', 'forwarded', 'audit-id'],
  ...['origin', 'referer'],
])

const keptPrefixes = /^(:|impersonate-|x-remote-|x-forwarded-|tenant-|sec-fetch-)/

/** A WebSocket client may hide a token among the protocols it speaks. */
const tokenProtocol = /^base64url\.bearer\.authorization\.k8s\.io\./i

/**
 * The headers of a request that go on to the API behind. Names come out in lower case. What follows a request for an
 * upgrade is no body, whatever length it tells.
 */
export function passedRequestHeaders(raw: readonly string[], isUpgrade = false): string[] {
  const nominated = new Set(valuesOf(raw, 'connection').flatMap(listed))
  const passed: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    const value = raw[index + 1] ?? ''
    if (kept.has(name) || nominated.has(name) || keptPrefixes.test(name)) continue
    if (isUpgrade && name === 'content-length') continue
    if (name !== 'sec-websocket-protocol') passed.push(name, value)
    else passed.push(...webSocketProtocols(name, value))
  }
  return passed
}

/** The same request for an answer that the platform itself can read. */
export function askingForJson(passed: readonly string[]): string[] {
  const others = passed.filter((_, index) => {
    const name = passed[index - (index % 2)] ?? ''
    return name !== 'accept' && name !== 'accept-encoding'
  })
  return [...others, 'accept', 'application/json']
}

function webSocketProtocols(name: string, value: string): readonly string[] {
  const harmless = value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => !tokenProtocol.test(each))
  return harmless.length === 0 ? [] : [name, harmless.join(', ')]
}

function valuesOf(raw: readonly string[], name: string): readonly string[] {
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name)
}

function listed(value: string): readonly string[] {
  return value.split(',').map((each) => each.trim().toLowerCase())
}

/** What an API behind may not say in the platform's name, to the platform's clients. */
const keptBack: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'trailer', 'te', 'via'],
  ...['date', 'audit-id', 'set-cookie', 'set-cookie2', 'www-authenticate', 'proxy-authenticate', 'clear-site-data'],
  ...['strict-transport-security', 'alt-svc', 'content-security-policy', 'x-content-type-options', 'location'],
  // A browser takes these for the whole origin, or leaves it for another one.
  ...['nel', 'report-to', 'reporting-endpoints', 'service-worker-allowed', 'refresh'],
])

/** A browser treats whatever comes from behind as a stranger's page, not as the platform's. */
const untrusted = ['Content-Security-Policy', 'sandbox', 'X-Content-Type-Options', 'nosniff'] as const

/** The headers of an answer that go back to the client. */
export function passedAnswerHeaders(flat: readonly string[]): string[] {
  const passed: string[] = []
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = flat[index] ?? ''
    if (keptBack.has(name) || name.startsWith(':') || name.startsWith('access-control-')) continue
    passed.push(properName(name), flat[index + 1] ?? '')
  }
  passed.push(...untrusted)
  return passed
}

/** As the server's own answers are written; HTTP/1.1 looks for the length under this name. */
function properName(name: string): string {
  return name === 'content-length' ? 'Content-Length' : name
}
