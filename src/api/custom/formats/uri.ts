import { parseGoUrl } from '../../human/go-url.ts'
import { utf8Length } from '../../utf8-length.ts'

/** The target of a request: a URL with a scheme, or a path. A fragment is not part of it. */
export function isRequestUri(text: string): boolean {
  if (text === '*') return true
  if (!/^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|\/)/.test(text)) return false
  const isPath = text.startsWith('/')
  const escaped = text.replaceAll('#', '%23')
  // Without a scheme, two slashes do not begin a host.
  return !('problem' in parseGoUrl(isPath ? escaped.replace(/^\/+/, '/') : escaped))
}

const letter = '[a-zA-Z0-9\\p{S}\\p{L}]'
const single = new RegExp(`^${letter}(?:-?${letter}{0,62})?$`, 'u')
const label = new RegExp(`^${letter}(?:(?:${letter}|-){0,61}${letter})?$`, 'u')

/** One label, which may have one dash after its first character, or several, the last of which consists of letters. */
export function isHostname(text: string): boolean {
  const labels = text.split('.')
  if (utf8Length(text) > 255 || labels.some((each) => utf8Length(each) > 63)) return false
  if (labels.length === 1) return single.test(text)
  return labels.slice(0, -1).every((each) => label.test(each)) && /^[a-zA-Z\p{L}]{2,63}$/u.test(labels.at(-1) ?? '')
}
