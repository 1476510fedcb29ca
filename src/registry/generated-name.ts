import { generatedNamePrefix, generatedSuffixAlphabet } from '../api/names.ts'
import type { Random } from '../base/random.ts'

const suffixLength = 5

/** The prefix, cut so that the result fits, and five characters that are hard to mistake for one another. */
export function generatedName(prefix: string, random: Random): string {
  const suffix = Array.from(
    random.bytes(suffixLength),
    (byte) => generatedSuffixAlphabet[byte % generatedSuffixAlphabet.length],
  )
  return generatedNamePrefix(prefix) + suffix.join('')
}

const suffixForm = new RegExp(`^[${generatedSuffixAlphabet}]{${suffixLength}}$`)

/** Whether it may have been made so. */
export function isGeneratedName(name: string, prefix: string): boolean {
  const start = generatedNamePrefix(prefix)
  return start !== '' && name.startsWith(start) && suffixForm.test(name.slice(start.length))
}
