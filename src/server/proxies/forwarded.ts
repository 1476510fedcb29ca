/** The last element of a list, and what comes before it. */
interface LastElement {
  readonly element: string
  /** Undefined: it was the only one. */
  readonly before: string | undefined
}

/** Which header the proxies write. Only that one counts: the other comes from the client, and proxies pass it on as it is. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded'

/** No chain of proxies is longer. */
const mostHops = 32

/** Who each proxy says it was asked by, the nearest first. Ends where nothing more can be understood. */
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

/** Read from the end, which a proxy has written: a quote that the client has left open must not swallow what follows it. */
function lastForwarded(value: string): LastElement {
  let isQuoted = false
  for (let index = value.length - 1; index >= 0; index -= 1) {
    if (value[index] === '"') isQuoted = !isQuoted
    else if (value[index] === ',' && !isQuoted) return cutAt(value, index)
  }
  return cutAt(value, -1)
}

const pair = /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z:[\]-]+)|"([^"\\]*)")[ \t]*$/

/** Neither an address nor a quoted pair of one has a semicolon in it: an element with another one is not understood. */
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

/** What may be an address. Undefined: it is none, such as `unknown`. */
function withoutPort(text: string): string | undefined {
  for (const form of forms) {
    const address = form.exec(text)?.[1]
    if (address !== undefined) return address
  }
  return undefined
}
