import type { Trust } from '../../client/connection/trust.ts'

/** One platform that the user is logged in to. */
export interface KnownPlatform {
  readonly name: string
  /** Without a trailing slash. */
  readonly url: string
  /** The platform domain: its API group is `management.<domain>`. */
  readonly domain: string
  readonly trust: Trust
  readonly accessKey: string
  /**
   * The name of the key, if a sign-in of this command created it: no other program has it, and it is revoked at logout.
   */
  readonly ownKey?: string
  /** The project that was used last. */
  readonly project?: string
}

/** Everything that is kept between two commands. */
export interface StoredLogins {
  /** The platform that commands use by default. */
  readonly current: string | undefined
  readonly platforms: readonly KnownPlatform[]
}

export const noCredentials: StoredLogins = { current: undefined, platforms: [] }
