import type { Random } from '../../base/random.ts'

/** Only consonants: they form no words, and none looks like a digit. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8
const form = new RegExp(`^[${letters}]{${length}}$`)
/** Bytes from here on would make the first letters more likely than the others. */
const firstUneven = 256 - (256 % letters.length)

/** What a user enters at another machine: 34 bits, valid for ten minutes, and useless without the command's verifier. */
export function newUserCode(random: Pick<Random, 'bytes'>): string {
  let code = ''
  while (code.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < firstUneven && code.length < length) code += letters[byte % letters.length]
    }
  }
  return code
}

/** For display: in two halves, which are easier to read. */
export function printUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
}

/** Accepts any case, with spaces and dashes between the letters. Undefined: it cannot be a code. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '')
  return form.test(code) ? code : undefined
}
