import type { Trust } from '../../client/connection/trust.ts'

/** One platform that the user is logged in to. */
export interface KnownPlatform {
  readonly name: string
  /** Without a slash at its end. */
  readonly url: string
  /** The platform domain: its API group is `management.<domain>`. */
  readonly domain: string
  readonly trust: Trust
  readonly accessKey: string
  /** Name of the key, if a sign-in of this command made it: it is in no other hands, and ends with the login. */
  readonly ownKey?: string
  /** What was worked with last. */
  readonly project?: string
}

/** Everything that is kept between two commands. */
export interface StoredLogins {
  /** Name of the platform that commands talk to unless told otherwise. */
  readonly current: string | undefined
  readonly platforms: readonly KnownPlatform[]
}

export const noCredentials: StoredLogins = { current: undefined, platforms: [] }
