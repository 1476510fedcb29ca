import { withoutRepeats } from '../../client/forward/repeats.ts'

/**
 * The headers that Kubernetes clients send, and no others: a header without a meaning here may have one for the
 * upstream. The platform itself states who the caller is.
 */
const passed: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'user-agent', 'traceparent', 'tracestate'],
  ...['content-type', 'content-length', 'content-encoding', 'kubectl-command', 'kubectl-session'],
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'range'],
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol', 'sec-websocket-extensions'],
  'x-stream-protocol-version',
])

/** A WebSocket client may pass a token among its protocols. */
const tokenProtocol = /^base64url\.bearer\.authorization\.k8s\.io\./i

/**
 * The headers of a request that are forwarded to the upstream, with names in lower case. Of headers that must not
 * repeat, the first counts, as it does here. An upgrade request has no body, whatever length it states.
 */
export function passedRequestHeaders(raw: readonly string[], isUpgrade = false): string[] {
  const nominated = new Set(valuesOf(raw, 'connection').flatMap(listed))
  const kept: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    const value = raw[index + 1] ?? ''
    if (!passed.has(name) || nominated.has(name) || (isUpgrade && name === 'content-length')) continue
    if (name !== 'sec-websocket-protocol') kept.push(name, value)
    else kept.push(...webSocketProtocols(name, value))
  }
  return [...withoutRepeats(kept)]
}

/** The headers for a body of `bytes` bytes, or none. `type`: absent if the content type is unchanged. */
export function withBodyOf(headers: readonly string[], bytes: number, type?: string): string[] {
  const length = bytes === 0 ? [] : ['content-length', String(bytes)]
  if (type === undefined) return [...without(headers, ['content-length']), ...length]
  const others = without(headers, ['content-length', 'content-type', 'content-encoding'])
  return [...others, 'content-type', type, ...length]
}

/** The headers for an answer that the platform itself can read. */
export function askingForJson(headers: readonly string[]): string[] {
  return [...without(headers, ['accept', 'accept-encoding']), 'accept', 'application/json']
}

function without(headers: readonly string[], names: readonly string[]): string[] {
  return headers.filter((_, index) => !names.includes(headers[index - (index % 2)] ?? ''))
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
