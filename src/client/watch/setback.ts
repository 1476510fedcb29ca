import { ApiError } from '../../api/error.ts'

/** The server tells of versions before those it has told: it was restored from a copy. */
export class WentBack extends Error {
  constructor(resource: string) {
    super(`the server's ${resource} have gone back in time, and are read anew`)
    this.name = 'WentBack'
  }
}

/** There is more than fits here. It is asked again from time to time whether that is still so. */
export class Overfull extends Error {
  constructor(resource: string) {
    super(`the server has more ${resource} than are kept here, and they are read anew`)
    this.name = 'Overfull'
  }
}

/** 410: the history is gone. 400: the server takes the version for none of its own. 404: what was watched is gone. */
const meansListing: readonly number[] = [400, 404, 410]

/** Whether there is no way to go on from the last version, so that everything must be read anew. */
export function losesHistory(error: unknown): boolean {
  return (
    error instanceof WentBack ||
    error instanceof Overfull ||
    (error instanceof ApiError && meansListing.includes(error.code))
  )
}

/** How long the server wants to be left alone. */
export function askedPauseMs(error: unknown): number {
  return error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) * 1000 : 0
}
