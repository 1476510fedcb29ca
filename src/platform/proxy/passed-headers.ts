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
