import { hash } from 'node:crypto'

const longestName = 63
/** How many characters of the uid's hash are appended to a name that is taken; more if the result is taken too. */
const suffixLengths = [5, 10, 20]

/** Names derived from both, so that a virtual cluster always gets the same one. */
export function derivedNames(wanted: string, serviceUid: string): readonly string[] {
  return suffixLengths.map((length) => derivedName(wanted, serviceUid, length))
}

function derivedName(wanted: string, serviceUid: string, length: number): string {
  const suffix = BigInt(`0x${hash('sha256', serviceUid, 'hex')}`)
    .toString(36)
    .slice(0, length)
  const readable = wanted.slice(0, longestName - length - 1).replace(/[.-]+$/, '')
  return `${readable}-${suffix}`
}
