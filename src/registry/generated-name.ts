import { generatedNamePrefix, generatedSuffixAlphabet } from '../api/names.ts'
import type { Random } from '../base/random.ts'

const suffixLength = 5

/** The prefix, truncated so that the result fits, and five characters that are hard to confuse with one another. */
export function generatedName(prefix: string, random: Random): string {
  let name = generatedNamePrefix(prefix)
  for (const byte of random.bytes(suffixLength)) name += letterFor(byte)
  return name
}

function letterFor(byte: number): string {
  return generatedSuffixAlphabet.charAt(byte % generatedSuffixAlphabet.length)
}

const suffixForm = new RegExp(`^[${generatedSuffixAlphabet}]{${suffixLength}}$`)

/** Whether `generatedName` could have returned the name. */
export function isGeneratedName(name: string, prefix: string): boolean {
  const start = generatedNamePrefix(prefix)
  return start !== '' && name.startsWith(start) && suffixForm.test(name.slice(start.length))
}
