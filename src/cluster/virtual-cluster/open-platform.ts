import { monotonicClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { packageVersion } from '../../base/package-version.ts'
import { systemRandom } from '../../base/random.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { KnownObject } from '../../tenant/link/contract.ts'
import { LateVirtualApi } from '../../tenant/link/late-api.ts'
import { PlatformConnection } from '../../tenant/platform-connection.ts'
import type { TenantOptions } from '../../tenant/tenant.ts'
import { serverVersion } from '../server-version.ts'

export interface OpenPlatformOptions extends Pick<TenantOptions, 'identity' | 'config' | 'processName' | 'env'> {
  readonly known?: KnownObject | undefined
  readonly log: Log
}

export interface OpenedPlatform {
  readonly connection: PlatformConnection
  /** The API for the link, once it is available. */
  readonly api: LateVirtualApi
  /** Allows the link to be opened. */
  readonly link: () => void
}

/** Requests what the link needs from the host at once. */
export function openPlatform(options: OpenPlatformOptions, host: KubeClient): OpenedPlatform {
  const api = new LateVirtualApi()
  let link = () => {}
  const mayLink = new Promise<void>((resolve) => {
    link = resolve
  })
  const connection = new PlatformConnection({
    ...options,
    external: options.config.external,
    host,
    virtualApi: api,
    mayLink,
    version: { tenant: packageVersion(), kubernetes: serverVersion().gitVersion },
    elapsed: monotonicClock,
    random: systemRandom,
    log: options.log.child({ part: 'platform' }),
  })
  return { connection, api, link: () => link() }
}
