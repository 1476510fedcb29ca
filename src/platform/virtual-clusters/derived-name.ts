import { hash } from 'node:crypto'

const longestName = 63
/** Characters of the uid's hash behind a name that somebody else has; more of them if even that is taken. */
const suffixLengths = [5, 10, 20]

/** Names that follow from both, so that a virtual cluster gets the same whenever it asks. */
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
