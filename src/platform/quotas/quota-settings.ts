import type { Amount } from '../../registry/quota/ledger.ts'

/** How many objects one owner may have. */
export interface QuotaSettings {
  readonly keysPerOwner: number
  readonly projectsPerCreator: number
  readonly virtualClustersPerProject: number
  readonly spacesPerProject: number
  /** Users whom sign-ins create. Administrators may create more. */
  readonly usersPerConnector: number
}

export const defaultQuotaSettings: QuotaSettings = {
  keysPerOwner: 500,
  projectsPerCreator: 100,
  virtualClustersPerProject: 100,
  spacesPerProject: 100,
  usersPerConnector: 10_000,
}

/** The average size that objects may have, so that a few large objects cannot exceed the limit for many small ones. */
const averageBytes = 32 * 1024

export function amountOf(objects: number): Amount {
  return { objects, bytes: objects * averageBytes }
}
