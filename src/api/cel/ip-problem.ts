/** What is wrong with a text that is not an address or a network, in the words of Go's parsers. */
export function addressProblem(text: string): string {
  return `ParseAddr(${shownText(text)}): ${problemOf(text)}`
}

export function prefixProblem(text: string): string {
  const slash = text.lastIndexOf('/')
  const place = `netip.ParsePrefix(${shownText(text)}): `
  if (slash < 0) return `${place}no '/'`
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)]
  const isAddress = problemOf(address) === ''
  if (!isAddress) return `${place}${addressProblem(address)}`
  if (address.includes('%')) return `${place}IPv6 zones cannot be present in a prefix`
  if (!/^(0|[1-9][0-9]{0,8})$/.test(bits)) return `${place}bad bits after slash: ${shownText(bits)}`
  return `${place}prefix length out of range`
}

/** The same, if there is anything wrong. */
export function addressProblemIfAny(text: string): string | undefined {
  return problemOf(text) === '' ? undefined : addressProblem(text)
}

export function prefixProblemIfAny(text: string): string | undefined {
  const slash = text.lastIndexOf('/')
  const [address, bits] = [text.slice(0, Math.max(0, slash)), text.slice(slash + 1)]
  const most = address.includes(':') ? 128 : 32
  const isRead = problemOf(address) === '' && !address.includes('%')
  return isRead && /^(0|[1-9][0-9]{0,2})$/.test(bits) && Number(bits) <= most ? undefined : prefixProblem(text)
}

function problemOf(text: string): string {
  const [first] = /[.:%]/.exec(text) ?? []
  if (first === '.') return ipv4Problem(text)
  if (first === ':') return ipv6Problem(text)
  return first === '%' ? 'missing IPv6 address' : 'unable to parse IP'
}

function ipv4Problem(text: string): string {
  let dots = 0
  let octet = ''
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === '.') {
      const isEmpty = octet === '' || index === text.length - 1
      if (isEmpty) return `IPv4 field must have at least one digit${at(text.slice(index))}`
      if (dots === 3) return 'IPv4 address too long'
      dots++
      octet = ''
    } else if (/[0-9]/.test(character)) {
      if (octet === '0') return 'IPv4 field has octet with leading zero'
      octet += character
      if (Number(octet) > 255) return 'IPv4 field has value >255'
    } else return `unexpected character${at(text.slice(index))}`
  }
  return dots < 3 ? 'IPv4 address too short' : ''
}

const bytesOfAddress = 16

function ipv6Problem(text: string): string {
  const percent = text.indexOf('%')
  if (percent >= 0 && percent === text.length - 1) return 'zone must be a non-empty string'
  let rest = percent < 0 ? text : text.slice(0, percent)
  let bytes = 0
  let hasEllipsis = rest.startsWith('::')
  if (hasEllipsis) rest = rest.slice(2)
  if (hasEllipsis && rest === '') return ''
  while (bytes < bytesOfAddress) {
    const [group = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? []
    if (group.length > 4) return `each group must have 4 or less digits${at(rest)}`
    if (group === '') return `each colon-separated field must have at least one digit${at(rest)}`
    if (rest.charAt(group.length) === '.') return embeddedProblem(rest, bytes, hasEllipsis)
    bytes += 2
    rest = rest.slice(group.length)
    if (rest === '') break
    if (!rest.startsWith(':')) return `unexpected character, want colon${at(rest)}`
    if (rest === ':') return `colon must be followed by more characters${at(rest)}`
    rest = rest.slice(1)
    if (!rest.startsWith(':')) continue
    if (hasEllipsis) return `multiple :: in address${at(rest)}`
    hasEllipsis = true
    rest = rest.slice(1)
    if (rest === '') break
  }
  if (rest !== '') return `trailing garbage after address${at(rest)}`
  return lengthProblem(bytes, hasEllipsis)
}

/** An IPv4 address at the end of an IPv6 one. */
function embeddedProblem(rest: string, bytes: number, hasEllipsis: boolean): string {
  if (!hasEllipsis && bytes !== 12) {
    return `embedded IPv4 address must replace the final 2 fields of the address${at(rest)}`
  }
  if (bytes > 12) return `too many hex fields to fit an embedded IPv4 at the end of the address${at(rest)}`
  const problem = ipv4Problem(rest)
  return problem === '' ? lengthProblem(bytes + 4, hasEllipsis) : problem
}

function lengthProblem(bytes: number, hasEllipsis: boolean): string {
  if (bytes < bytesOfAddress) return hasEllipsis ? '' : 'address string too short'
  return hasEllipsis ? 'the :: must expand to at least one field of zeros' : ''
}

function at(rest: string): string {
  return ` (at ${shownText(rest)})`
}

/** The sender knows the whole text. */
export function shownText(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
