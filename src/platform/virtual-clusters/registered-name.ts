import { hash } from 'node:crypto'

export interface Known {
  /** Empty: nobody has claimed the object yet. */
  readonly serviceUid: string
}

const longestName = 63
/** Characters of the uid's hash behind a name that somebody else has; more of them if even that is taken. */
const suffixLengths = [5, 10, 20]

/**
 * Under which name a virtual cluster is known: the one it had before, the one it wants if that is free, otherwise one
 * that follows from both, so that it gets the same whenever it asks. Undefined when all of them are taken.
 */
export function registeredName(
  wanted: string,
  serviceUid: string,
  known: ReadonlyMap<string, Known>,
): string | undefined {
  for (const [name, each] of known) if (each.serviceUid === serviceUid) return name
  const candidates = [wanted, ...suffixLengths.map((length) => derivedName(wanted, serviceUid, length))]
  return candidates.find((name) => (known.get(name)?.serviceUid ?? '') === '')
}

function derivedName(wanted: string, serviceUid: string, length: number): string {
  const suffix = BigInt(`0x${hash('sha256', serviceUid, 'hex')}`)
    .toString(36)
    .slice(0, length)
  const readable = wanted.slice(0, longestName - length - 1).replace(/[.-]+$/, '')
  return `${readable}-${suffix}`
}
