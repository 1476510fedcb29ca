/** The last element of a list, and the part before it. */
interface LastElement {
  readonly element: string
  /** Undefined: it was the only element. */
  readonly before: string | undefined
}

/**
 * The header that the proxies write. Only this one counts: the other comes from the client, and proxies pass it on
 * unchanged.
 */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded'

/** Longer chains of proxies are not followed. */
const mostHops = 32

/** The client that each proxy names, the nearest first. Ends at the first entry that cannot be parsed. */
export function* hopsOf(header: ForwardedHeader, value: string): Iterable<string> {
  const { last, addressIn } = header === 'forwarded' ? forwarded : xForwardedFor
  let rest: string | undefined = value
  for (let hops = 0; rest !== undefined && hops < mostHops; hops += 1) {
    const { element, before }: LastElement = last(rest)
    const address = addressIn(element.trim())
    if (address === undefined) return
    yield address
    rest = before
  }
}

const xForwardedFor = {
  last: (value: string): LastElement => cutAt(value, value.lastIndexOf(',')),
  addressIn: withoutPort,
}

const forwarded = { last: lastForwarded, addressIn: addressInForwarded }

function cutAt(value: string, comma: number): LastElement {
  return { element: value.slice(comma + 1), before: comma < 0 ? undefined : value.slice(0, comma) }
}

/** Read from the end, which a proxy wrote: a quote that the client left open must not swallow what follows it. */
function lastForwarded(value: string): LastElement {
  let isQuoted = false
  for (let index = value.length - 1; index >= 0; index -= 1) {
    if (value[index] === '"') isQuoted = !isQuoted
    else if (value[index] === ',' && !isQuoted) return cutAt(value, index)
  }
  return cutAt(value, -1)
}

const pair = /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z:[\]-]+)|"([^"\\]*)")[ \t]*$/

/** Neither an address nor a quoted pair of one contains a semicolon: an element with an extra one cannot be parsed. */
function addressInForwarded(element: string): string | undefined {
  const found: string[] = []
  for (const text of element.split(';')) {
    const [, name = '', token, quoted = ''] = pair.exec(text) ?? []
    if (name === '') return undefined
    if (name.toLowerCase() === 'for') found.push(token ?? quoted)
  }
  const [address] = found
  return address === undefined || found.length > 1 ? undefined : withoutPort(address)
}

const forms = [/^\[([0-9a-fA-F:.]+)\](?::[0-9]{1,5})?$/, /^([0-9.]+)(?::[0-9]{1,5})?$/, /^([0-9a-fA-F:.]+)$/]

/** The part that may be an address. Undefined for other values, such as `unknown`. */
function withoutPort(text: string): string | undefined {
  for (const form of forms) {
    const address = form.exec(text)?.[1]
    if (address !== undefined) return address
  }
  return undefined
}
