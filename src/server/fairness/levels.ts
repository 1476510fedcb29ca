import type { LevelName } from './contract.ts'

/** The capacity of a level. Requests of other levels cannot use its places. */
export interface LevelRules {
  /** Requests processed at the same time. */
  readonly places: number
  readonly placesPerOwner: number
  /** Requests waiting for a place. */
  readonly waiting: number
  readonly waitingPerOwner: number
}

export const levelNames = [
  'health',
  'administrators',
  'links',
  'callers',
  'proxied',
  'relayed',
  'strangers',
] as const satisfies readonly LevelName[]

interface Share {
  /** Share of all places of the server. */
  readonly places: number
  /** Share of the level's places. */
  readonly perOwner: number
  readonly waiting: number
  readonly waitingPerOwner: number
}

/** A relayed request already had a place at another replica, so it gets as many here as can arrive. */
const shares: Readonly<Record<LevelName, Share>> = {
  health: { places: 0.05, perOwner: 0.25, waiting: 200, waitingPerOwner: 50 },
  administrators: { places: 0.1, perOwner: 1, waiting: 2_000, waitingPerOwner: 1_000 },
  links: { places: 0.1, perOwner: 0.5, waiting: 2_000, waitingPerOwner: 500 },
  callers: { places: 0.35, perOwner: 0.07, waiting: 2_000, waitingPerOwner: 300 },
  proxied: { places: 0.35, perOwner: 0.25, waiting: 2_000, waitingPerOwner: 200 },
  relayed: { places: 1, perOwner: 0.1, waiting: 2_000, waitingPerOwner: 500 },
  strangers: { places: 0.05, perOwner: 0.25, waiting: 200, waitingPerOwner: 20 },
}

export function levelRules(name: LevelName, maxRequestsInFlight: number): LevelRules {
  const { places: share, perOwner, waiting, waitingPerOwner } = shares[name]
  const places = atLeastOne(maxRequestsInFlight * share)
  return { places, placesPerOwner: atLeastOne(places * perOwner), waiting, waitingPerOwner }
}

function atLeastOne(count: number): number {
  return Math.max(1, Math.floor(count))
}
