import type { RefreshIdentity, SignedOn } from '../auth/signed-on.ts'
import type { ResourceContext } from '../registry/context.ts'
import type { Controller, ReportError } from '../registry/controllers/controller.ts'
import { KeyLife } from './access-keys/life/key-life.ts'
import type { Orphans } from './access-keys/life/orphans.ts'
import type { KeyParts } from './access-keys/parts.ts'
import type { PlatformControllerTable } from './controllers.ts'
import type { ManagedSecrets } from './managed-secrets/managed-secrets.ts'
import { refreshUser, type SignedOnUsersParts } from './signed-on/signed-on-users.ts'

export interface BackgroundWorkParts {
  readonly table: PlatformControllerTable
  readonly keyParts: KeyParts
  readonly contextOf: (kind: string) => ResourceContext
  readonly coreContextOf: (kind: string) => ResourceContext
  readonly managedSecrets: ManagedSecrets
  readonly orphans: Orphans
  readonly signedOnUsers: SignedOnUsersParts
  /** Controllers that run from the beginning. */
  readonly early: readonly Controller[]
  readonly report: ReportError
}

/** The feeds and controllers of the platform: `follow` once the registry is loaded, then `start`. */
export class BackgroundWork {
  readonly #parts: BackgroundWorkParts
  #controllers: readonly Controller[]
  #feeds: readonly (() => void)[] = []
  #life: KeyLife | undefined

  constructor(parts: BackgroundWorkParts) {
    this.#parts = parts
    this.#controllers = parts.early
  }

  /** `feeds`: functions that end what follows the registry. */
  follow(feeds: readonly (() => void)[]): void {
    this.#feeds = feeds
  }

  start(refresh: RefreshIdentity | undefined): void {
    const { table, keyParts, contextOf, coreContextOf, managedSecrets, orphans, signedOnUsers, report } = this.#parts
    const keys = contextOf('OwnedAccessKey')
    const life = new KeyLife(keys, keyParts.index, report)
    this.#life = life
    const controllerParts = {
      keyParts,
      keys,
      virtualClusters: contextOf('VirtualClusterInstance'),
      clusters: contextOf('Cluster'),
      events: coreContextOf('Event'),
      configMaps: coreContextOf('ConfigMap'),
      managedSecrets,
      life,
      orphans,
      refresh,
      refreshUser: (user: string, signedOn: SignedOn) => refreshUser(signedOnUsers, user, signedOn),
      clock: keyParts.clock,
      report,
    }
    const started = Object.values(table).flatMap((make) => make(controllerParts) ?? [])
    this.#controllers = [...new Set([...this.#controllers, ...started])]
  }

  /** The activity of keys is to be stored soon. */
  storeActivitySoon(): void {
    this.#life?.tickSoon()
  }

  async stop(): Promise<void> {
    for (const end of this.#feeds) end()
    await Promise.all(this.#controllers.map((controller) => controller.stop()))
  }
}
