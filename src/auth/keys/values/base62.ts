import type { Random } from '../../../base/random.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The largest multiple of 62 in a byte: higher values would favor the first characters. */
const fairBytes = 248

/** Characters with equal probability. */
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

const notADigit = 255
const digits = new Uint8Array(128).fill(notADigit)
for (const [digit, character] of [...alphabet].entries()) digits[character.charCodeAt(0)] = digit

/** Whether the range contains only base62 characters. */
export function isBase62(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (digitAt(text, at) === notADigit) return false
  return true
}

/** The value of the rest of the text, which must contain only base62 characters. */
export function base62Value(text: string, start: number): number {
  let value = 0
  for (let at = start; at < text.length; at++) value = value * 62 + digitAt(text, at)
  return value
}

function digitAt(text: string, at: number): number {
  return digits[text.charCodeAt(at)] ?? notADigit
}

/** As many characters as the bytes can fill without favoring any; at most one per byte. */
export function base62OfBytes(bytes: Uint8Array, length: number): string {
  return base62OfBigInt(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), length)
}

function base62OfBigInt(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text
}
