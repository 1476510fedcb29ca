import type { Random } from '../../base/random.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The largest multiple of 62 that a byte can hold: what lies beyond it would favour the first characters. */
const fairBytes = 248

/** Characters of equal likelihood. */
export function randomBase62(length: number, random: Random): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length)) if (byte < fairBytes) text += alphabet[byte % 62]
  }
  return text
}

/** The number with leading zeros. */
export function base62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text
  return text
}

/** As many characters as the bytes can fill without favouring any; at most one per byte. */
export function base62OfBytes(bytes: Uint8Array, length: number): string {
  return base62OfBigInt(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), length)
}

function base62OfBigInt(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text
}
