import { Chance } from '../chance.ts'
import type { Fault, PassingRequest } from './faulty-https.ts'

/** How many of a hundred requests misbehave. */
export interface FaultRates {
  readonly reads: number
  readonly writes: number
  readonly watches: number
}

const readFaults: readonly [Fault, ...Fault[]] = [
  { kind: 'refused', status: 429 },
  { kind: 'refused', status: 500 },
  { kind: 'refused', status: 503 },
  { kind: 'request lost' },
  { kind: 'broken off', afterBytes: 100 },
]
const writeFaults: readonly [Fault, ...Fault[]] = [
  { kind: 'refused', status: 409 },
  { kind: 'refused', status: 429 },
  { kind: 'refused', status: 500 },
  { kind: 'request lost' },
  { kind: 'answer lost' },
  { kind: 'answer lost' },
]
const watchFaults: readonly [Fault, ...Fault[]] = [
  { kind: 'refused', status: 410 },
  { kind: 'refused', status: 429 },
  { kind: 'history lost' },
  { kind: 'broken off', afterBytes: 700 },
  { kind: 'broken off', afterBytes: 5_000 },
]

/**
 * The fault of a request depends on the seed, on the request and on the number of its repetitions, so the same seed
 * gives the same faults in whatever order requests of different objects arrive.
 */
export function seededFaults(seed: number, rates: FaultRates): (request: PassingRequest) => Fault {
  return (request) => {
    const [faults, percent] = request.isWatch
      ? [watchFaults, rates.watches]
      : request.method === 'GET'
        ? [readFaults, rates.reads]
        : [writeFaults, rates.writes]
    const chance = new Chance(seed ^ textHash(`${request.method} ${pathOf(request)} ${request.count}`))
    return chance.next() * 100 < percent ? chance.pick(faults) : { kind: 'none' }
  }
}

/** Without the query, which has resourceVersions and other values that differ between runs. */
function pathOf({ path }: PassingRequest): string {
  return path.split('?', 1)[0] ?? path
}

/** FNV-1a. */
function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
