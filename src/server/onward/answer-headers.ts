import { passedType } from './answer-type.ts'

export const lengthHeader = 'Content-Length'

/**
 * What an API behind may say beside its body, and how the server's own answers write it. All else would be said in the
 * platform's name, to the platform's clients: cookies, redirects, and whatever a browser takes for the whole origin.
 */
const passed: ReadonlyMap<string, string> = new Map([
  ['content-length', lengthHeader],
  ['content-encoding', 'Content-Encoding'],
  ['etag', 'ETag'],
  ['last-modified', 'Last-Modified'],
  ['vary', 'Vary'],
  ['warning', 'Warning'],
  ['retry-after', 'Retry-After'],
  ['allow', 'Allow'],
  ['x-kubernetes-pf-flowschema-uid', 'X-Kubernetes-PF-FlowSchema-UID'],
  ['x-kubernetes-pf-prioritylevel-uid', 'X-Kubernetes-PF-PriorityLevel-UID'],
])

/** The same for an answer that goes on in another protocol. */
const passedUpgraded: ReadonlyMap<string, string> = new Map([
  ['warning', 'Warning'],
  ['sec-websocket-accept', 'Sec-WebSocket-Accept'],
  ['sec-websocket-protocol', 'Sec-WebSocket-Protocol'],
  ['sec-websocket-extensions', 'Sec-WebSocket-Extensions'],
  ['x-stream-protocol-version', 'X-Stream-Protocol-Version'],
])

/** A browser treats whatever comes from behind as a stranger's, and no other site gets to show or use it. */
const untrusted: readonly string[] = [
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
]

/** The headers of an answer that go back to the client. `flat`: name, value, name, value …; names in lower case. */
export function passedAnswerHeaders(flat: readonly string[]): string[] {
  const types = valuesOf(flat, 'content-type')
  return [
    ...(types.length === 0 ? [] : ['Content-Type', passedType(types)]),
    ...['Cache-Control', passedCaching(valuesOf(flat, 'cache-control'))],
    ...chosen(flat, passed),
    ...untrusted,
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
