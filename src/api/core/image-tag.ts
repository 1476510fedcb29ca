/** The maximum length of a reference that any registry accepts. */
const longest = 4096
const longestPath = 255

const part = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const domain = `(?:${part}(?:\\.${part})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`
const step = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const tag = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}'
const reference = new RegExp(`^${domain}/(${step}(?:/${step})*)(?::(${tag}))?(?:@(.+))?$`)
const digest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/

/**
 * The tag of an image reference; `latest` if it has neither tag nor digest. Undefined for one with only a digest, and
 * for a text that is not a reference.
 */
export function imageTag(image: string): string | undefined {
  if (image.length > longest || /^[a-f0-9]{64}$/.test(image)) return undefined
  const { host, rest } = partsOf(image)
  const path = rest.split(':', 1)[0] ?? ''
  if (path !== path.toLowerCase()) return undefined
  const [found, name = '', written, content] = reference.exec(`${host}/${rest}`) ?? []
  if (found === undefined || name.length > longestPath) return undefined
  if (content === undefined) return written ?? 'latest'
  return digest.test(content) ? written : undefined
}

/** The part before the first slash is a host if it looks like one; otherwise the image is in the public registry. */
function partsOf(image: string): { readonly host: string; readonly rest: string } {
  const slash = image.indexOf('/')
  const first = image.slice(0, Math.max(slash, 0))
  const isHost = first === 'localhost' || /[.:]/.test(first) || first !== first.toLowerCase()
  if (isHost) return { host: first, rest: image.slice(slash + 1) }
  return { host: 'public', rest: slash < 0 ? `library/${image}` : image }
}
