import { isIPv4 } from 'node:net'

/** The few forms of ASN.1 DER that a certificate consists of. */

export function sequence(...members: readonly Buffer[]): Buffer {
  return tagged(0x30, ...members)
}

export function set(...members: readonly Buffer[]): Buffer {
  return tagged(0x31, ...members)
}

/** `[number]` around another value. */
export function explicit(number: number, ...members: readonly Buffer[]): Buffer {
  return tagged(0xa0 + number, ...members)
}

/** `[number]` replaces the type of a plain value. */
export function implicit(number: number, content: Buffer): Buffer {
  return tagged(0x80 + number, content)
}

export function derBoolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]))
}

/** A non-negative number as its bytes, most significant first. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const significant = start < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(start))
  const needsSign = (significant[0] ?? 0) >= 0x80
  return tagged(0x02, needsSign ? Buffer.concat([Buffer.from([0]), significant]) : significant)
}

/** `usedBits` counts from the highest bit of the first byte. */
export function bitString(bytes: Buffer, usedBits = bytes.length * 8): Buffer {
  return tagged(0x03, Buffer.from([bytes.length * 8 - usedBits]), bytes)
}

export function octetString(...content: readonly Buffer[]): Buffer {
  return tagged(0x04, ...content)
}

export function utf8String(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text))
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift(0x80 | (left & 0x7f))
  return bytes
}

/** Years up to 2049 have two digits. */
export function derTime(epochMs: number): Buffer {
  const text = new Date(epochMs).toISOString().replace(/[-:T]/g, '').slice(0, 14)
  const isShort = Number(text.slice(0, 4)) < 2050
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(`${isShort ? text.slice(2) : text}Z`))
}

/** The bytes of an IPv4 or IPv6 address. */
export function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // An address may end in dotted IPv4 form; the hostname of a URL has only groups of hexadecimal digits.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = new Array<string>(8 - left.length - right.length).fill('0')
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}

function tagged(tag: number, ...members: readonly Buffer[]): Buffer {
  const content = Buffer.concat(members)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content])
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff)
  return [0x80 | bytes.length, ...bytes]
}
