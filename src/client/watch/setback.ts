import { ApiError } from '../../api/error.ts'

/** The server reports versions before those already reported: it was restored from a backup. */
export class VersionsRegressed extends Error {
  constructor(resource: string) {
    super(`the server's ${resource} have gone back in time, and are listed again`)
    this.name = 'VersionsRegressed'
  }
}

/** There are more objects than fit here. This is checked again from time to time. */
export class TooManyObjects extends Error {
  constructor(resource: string) {
    super(`the server has more ${resource} than the limit, and they are listed again`)
    this.name = 'TooManyObjects'
  }
}

/**
 * 410: the history was lost. 400: the server does not accept the version as its own. 404: the watched resource was
 * deleted.
 */
const meansListing: readonly number[] = [400, 404, 410]

/** Whether the watch cannot resume from the last version, so that everything must be read again. */
export function losesHistory(error: unknown): boolean {
  return (
    error instanceof VersionsRegressed ||
    error instanceof TooManyObjects ||
    (error instanceof ApiError && meansListing.includes(error.code))
  )
}

/** How long the server asks clients to wait. */
export function askedPauseMs(error: unknown): number {
  return error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) * 1000 : 0
}
