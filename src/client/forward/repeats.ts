import { withoutRelayPrefix } from '../../api/link.ts'

/** Headers that may repeat; of the others the first counts. */
const repeatable =
  /^(accept(-.*)?|cache-control|impersonate-(group|extra-.*)|sec-websocket-.*|warning|x-.*|via|vary|link)$/

/** Also applies to prefixed headers between replicas. */
export function mayRepeat(name: string): boolean {
  return repeatable.test(withoutRelayPrefix(name))
}

/** A flat list with names in lower case: each once, unless it may repeat. Servers refuse to send others. */
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
