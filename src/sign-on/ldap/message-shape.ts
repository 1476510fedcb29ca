/**
 * The form that a directory's message must have before the library sees it. The library trusts lengths, and reads on
 * forever, or back and forth, if one leads out of its element.
 */

/** A message, or a part of one, in ASN.1's basic encoding. */
interface Shape {
  readonly tag: number
  /** Absent: bytes. */
  readonly content?: Content
}

type Content =
  | { readonly kind: 'each'; readonly of: Shape }
  /** In this order. Optional ones come last. */
  | { readonly kind: 'all'; readonly of: readonly Shape[]; readonly optional?: readonly Shape[] }

const octets: Shape = { tag: 0x04 }
const result: readonly Shape[] = [{ tag: 0x0a }, octets, octets]
const referral: Shape = { tag: 0xa3, content: { kind: 'each', of: octets } }
const attribute: Shape = {
  tag: 0x30,
  content: { kind: 'all', of: [octets, { tag: 0x31, content: { kind: 'each', of: octets } }] },
}
const control: Shape = { tag: 0x30, content: { kind: 'all', of: [octets], optional: [{ tag: 0x01 }, octets] } }
const controls: Shape = { tag: 0xa0, content: { kind: 'each', of: control } }

const bindResponse: Shape = {
  tag: 0x61,
  content: { kind: 'all', of: result, optional: [referral, { tag: 0x87 }] },
}
const searchEntry: Shape = {
  tag: 0x64,
  content: { kind: 'all', of: [octets, { tag: 0x30, content: { kind: 'each', of: attribute } }] },
}
const searchDone: Shape = { tag: 0x65, content: { kind: 'all', of: result, optional: [referral] } }
const searchReference: Shape = { tag: 0x73, content: { kind: 'each', of: octets } }
const extendedResponse: Shape = {
  tag: 0x78,
  content: { kind: 'all', of: result, optional: [referral, { tag: 0x8a }, { tag: 0x8b }] },
}

const messages = [bindResponse, searchEntry, searchDone, searchReference, extendedResponse].map(
  (operation): Shape => ({
    tag: 0x30,
    content: { kind: 'all', of: [{ tag: 0x02 }, operation], optional: [controls] },
  }),
)

/** A user in more groups than count here gets no more. Processing each part occupies the event loop. */
const mostParts = 10_000

/** The bytes under inspection, and how many more parts they may have. */
interface Looked {
  readonly bytes: Buffer
  left: number
}

/** Whether the bytes are exactly one message that a directory may send. */
export function isWellFormed(bytes: Buffer): boolean {
  const message = elementAt(bytes, 0, bytes.length)
  const looked = { bytes, left: mostParts }
  return message?.to === bytes.length && messages.some((shape) => hasShape(looked, message, shape))
}

const mostLengthBytes = 4

/**
 * The length of the message at the start of the bytes. Undefined: not enough bytes to know. Throws if it is not a
 * message.
 */
export function messageLength(bytes: Buffer): number | undefined {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined) return undefined
  const more = first < 0x80 ? 0 : first & 0x7f
  if (tag !== 0x30 || first === 0x80 || more > mostLengthBytes)
    throw new Error('the directory sends no messages of LDAP')
  if (bytes.length < 2 + more) return undefined
  return 2 + more + (more === 0 ? first : bytes.readUIntBE(2, more))
}

interface Element {
  readonly tag: number
  /** The range of its content. */
  readonly from: number
  readonly to: number
}

/** Undefined: there is no element that ends within the range. */
function elementAt(bytes: Buffer, at: number, end: number): Element | undefined {
  const [tag, first] = bytes.subarray(at, Math.min(at + 2, end))
  if (tag === undefined || first === undefined || first === 0x80) return undefined
  const more = first < 0x80 ? 0 : first & 0x7f
  const from = at + 2 + more
  if (more > mostLengthBytes || from > end) return undefined
  const to = from + (more === 0 ? first : bytes.readUIntBE(at + 2, more))
  return to <= end ? { tag, from, to } : undefined
}

function hasShape(looked: Looked, element: Element, { tag, content }: Shape): boolean {
  if (element.tag !== tag) return false
  if (content === undefined) return true
  const parts = partsOf(looked, element)
  if (parts === undefined) return false
  if (content.kind === 'each') return parts.every((part) => hasShape(looked, part, content.of))
  const { of, optional = [] } = content
  const isBegun = of.every((shape, index) => {
    const part = parts[index]
    return part !== undefined && hasShape(looked, part, shape)
  })
  return isBegun && isInOrder(looked, parts.slice(of.length), optional)
}

function isInOrder(looked: Looked, parts: readonly Element[], shapes: readonly Shape[]): boolean {
  let next = 0
  return parts.every((part) => {
    const found = shapes.findIndex((shape, index) => index >= next && hasShape(looked, part, shape))
    next = found + 1
    return found >= 0
  })
}

/** Undefined: they do not fill the element, or there are too many. */
function partsOf(looked: Looked, { from, to }: Element): readonly Element[] | undefined {
  const parts: Element[] = []
  for (let at = from; at < to; ) {
    looked.left -= 1
    const part = looked.left < 0 ? undefined : elementAt(looked.bytes, at, to)
    if (part === undefined) return undefined
    parts.push(part)
    at = part.to
  }
  return parts
}
