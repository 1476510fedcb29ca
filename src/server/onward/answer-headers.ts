export const lengthHeader = 'Content-Length'

/**
 * The headers that an upstream may send, and how the server's own answers spell them. Anything else would speak in the
 * platform's name to its clients: cookies, redirects, and whatever a browser applies to the whole origin.
 */
const passed: ReadonlyMap<string, string> = new Map([
  ['content-length', lengthHeader],
  ['content-encoding', 'Content-Encoding'],
  ['content-range', 'Content-Range'],
  ['accept-ranges', 'Accept-Ranges'],
  ['etag', 'ETag'],
  ['last-modified', 'Last-Modified'],
  ['vary', 'Vary'],
  ['warning', 'Warning'],
  ['retry-after', 'Retry-After'],
  ['allow', 'Allow'],
  ['x-kubernetes-pf-flowschema-uid', 'X-Kubernetes-PF-FlowSchema-UID'],
  ['x-kubernetes-pf-prioritylevel-uid', 'X-Kubernetes-PF-PriorityLevel-UID'],
])

/** The same for an answer that switches to another protocol. */
const passedUpgraded: ReadonlyMap<string, string> = new Map([
  ['warning', 'Warning'],
  ['sec-websocket-accept', 'Sec-WebSocket-Accept'],
  ['sec-websocket-protocol', 'Sec-WebSocket-Protocol'],
  ['sec-websocket-extensions', 'Sec-WebSocket-Extensions'],
  ['x-stream-protocol-version', 'X-Stream-Protocol-Version'],
])

/** Makes a browser treat upstream content as untrusted, and keeps other sites from showing or using it. */
const untrusted: readonly string[] = [
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
]

/**
 * The headers of an answer that are returned to the client. `flat`: name, value, name, value …; names in lower case.
 */
export function passedAnswerHeaders(flat: readonly string[]): string[] {
  return [...plainAnswerHeaders(flat), ...untrusted]
}

/** The same for servers that no browser has a session with. */
export function plainAnswerHeaders(flat: readonly string[]): string[] {
  return keptHeaders(flat, passedType)
}

/** The same for answers of a user's program: any content type, but no headers that speak for the server. */
export function workloadAnswerHeaders(flat: readonly string[]): string[] {
  return [...keptHeaders(withoutServerWords(flat), plainType), ...untrusted]
}

const serverWords: ReadonlySet<string> = new Set([
  ...['warning', 'x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'],
])

/** Drops headers that clients take for statements of an API server. */
export function withoutServerWords(flat: readonly string[]): readonly string[] {
  return flat.filter((_, index) => !serverWords.has(flat[index - (index % 2)] ?? ''))
}

function keptHeaders(flat: readonly string[], typeOf: (values: readonly string[]) => string): string[] {
  const types = valuesOf(flat, 'content-type')
  return [
    ...(types.length === 0 ? [] : ['Content-Type', typeOf(types)]),
    ...['Cache-Control', passedCaching(valuesOf(flat, 'cache-control'))],
    ...chosen(flat, passed),
  ]
}

export function passedUpgradeHeaders(flat: readonly string[]): string[] {
  return chosen(flat, passedUpgraded)
}

function chosen(flat: readonly string[], names: ReadonlyMap<string, string>): string[] {
  const headers: string[] = []
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = names.get(flat[index] ?? '')
    if (name !== undefined) headers.push(name, flat[index + 1] ?? '')
  }
  return headers
}

const directive = /^(?:no-cache|no-store|private|must-revalidate|immutable|max-age=\d{1,9})$/

/** An answer is for one client only: that client may cache it as the upstream allows, shared caches may not. */
function passedCaching(values: readonly string[]): string {
  const asked = values.flatMap((value) => value.toLowerCase().split(',')).map((each) => each.trim())
  const kept = asked.filter((each) => directive.test(each) && each !== 'private')
  return [...new Set(kept.length === 0 ? ['no-cache'] : kept), 'private'].join(', ')
}

function valuesOf(flat: readonly string[], name: string): readonly string[] {
  return flat.filter((_, index) => index % 2 === 1 && flat[index - 1] === name)
}

/** The content types of API servers. A browser treats none of them as a page, style or script. */
const apiTypes: ReadonlySet<string> = new Set([
  ...['application/json', 'application/yaml', 'application/cbor', 'application/cbor-seq', 'application/octet-stream'],
  ...['application/vnd.kubernetes.protobuf', 'text/plain', 'application/openmetrics-text'],
  ...[
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  ],
])

const bytes = 'application/octet-stream'
const plain = /^[\x20-\x7e]{1,200}$/

/**
 * The content type under which the platform forwards an upstream's answer: an unknown type becomes bytes, whatever it
 * claims.
 */
function passedType(values: readonly string[]): string {
  const [value = '', ...others] = values
  const [essence = ''] = value.split(';', 1)
  const isKnown = others.length === 0 && plain.test(value) && apiTypes.has(essence.trim().toLowerCase())
  return isKnown ? value : bytes
}

function plainType([value = '', ...others]: readonly string[]): string {
  return others.length === 0 && plain.test(value) ? value : bytes
}
