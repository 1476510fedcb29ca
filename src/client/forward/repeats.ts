import { withoutRelayPrefix } from '../../api/link.ts'

/** Those that may come twice; of the others the first counts. */
const repeatable =
  /^(accept(-.*)?|cache-control|impersonate-(group|extra-.*)|sec-websocket-.*|warning|x-.*|via|vary|link)$/

/** The same on the way between replicas: a header is what it is, whatever it is called there. */
export function mayRepeat(name: string): boolean {
  return repeatable.test(withoutRelayPrefix(name))
}

/** Of a flat list with names in lower case: each once, unless it may come several times. Servers refuse to send others. */
export function withoutRepeats(flat: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const kept: string[] = []
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = flat[index] ?? ''
    if (seen.has(name) && !mayRepeat(name)) continue
    seen.add(name)
    kept.push(name, flat[index + 1] ?? '')
  }
  return kept
}
