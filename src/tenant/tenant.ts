import type { EffectiveConfig } from '../api/tenant-config/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { waitAtMost } from '../base/pause.ts'
import type { Random } from '../base/random.ts'
import type { KubeClient } from '../client/contract.ts'
import type { ObjectName } from '../patches/contract.ts'
import type { PodNetwork } from '../sync/companions/contract.ts'
import type { Trouble } from '../sync/contract.ts'
import type { TenantPlace } from '../sync/names/names.ts'
import { SyncEvents } from '../sync/report/events.ts'
import { adminSecretName, keepAdminKubeconfig } from './admin-kubeconfig.ts'
import { LicensedSync } from './licensed-sync.ts'
import { findOwnObject, type OwnObject } from './own-object.ts'
import type { PlatformConnection } from './platform-connection.ts'
import { copiesOfAnotherReason } from './sync/whose-copies.ts'

export interface TenantOptions {
  readonly identity: TenantPlace
  readonly config: EffectiveConfig
  /** The caller closes them. */
  readonly host: KubeClient
  readonly virtual: KubeClient
  /** Stopped with the tenant. */
  readonly platform: PlatformConnection
  readonly virtualFollowsHostAddresses: boolean
  readonly podNetwork: () => PodNetwork | undefined
  /** For administrators of the virtual cluster; absent if it is provided by other means. */
  readonly adminKubeconfig?: string
  /** A license given to the process itself, and the key of its issuer. */
  readonly license?: string
  readonly issuerKey?: string
  /** The name of this process, if several run for the tenant. */
  readonly processName: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly elapsed: Clock
  readonly random: Random
  readonly log: Log
}

/**
 * The link comes first: users notice when the API is unavailable, and starting the sync takes time that the link would
 * need.
 */
const headStartMs = 500

/** A virtual cluster beside its API server: synced with its host and linked to its platform. Starts at once. */
export class Tenant {
  readonly #options: TenantOptions
  readonly #events: SyncEvents
  readonly #platform: PlatformConnection
  readonly #sync: LicensedSync
  readonly #stopping = new AbortController()
  #config: EffectiveConfig
  #own: OwnObject | undefined

  constructor(options: TenantOptions) {
    this.#options = options
    const { config } = options
    this.#config = config
    const onTrouble = (trouble: Trouble) => void this.#tell(trouble)
    this.#events = new SyncEvents(options.host, options.clock, 'tenant')
    this.#platform = options.platform
    this.#sync = new LicensedSync({
      ...options,
      hasPlatform: () => this.#platform.hasKey,
      after: waitAtMost(headStartMs, this.#platform.whenTried()),
      onTrouble: (trouble) => {
        if (trouble.reason === copiesOfAnotherReason) this.#platform.leave()
        onTrouble(trouble)
      },
    })
    this.#platform.listen({
      onLicense: (license) => this.#sync.tell(license),
      onKey: () => this.#sync.lookAgain(),
      onTrouble,
    })
    void this.#keepAdminKubeconfig()
  }

  /** The current configuration. */
  get config(): EffectiveConfig {
    return this.#config
  }

  /** Resolves when everything is in step for the first time. */
  whenInStep(): Promise<void> {
    return this.#sync.whenInStep()
  }

  /** Resolves when it is linked to its platform for the first time. */
  whenLinked(): Promise<void> {
    return this.#platform.whenLinked()
  }

  reconfigure(config: EffectiveConfig): void {
    this.#config = config
    this.#platform.reconfigure(config.external)
    this.#sync.reconfigure(config)
  }

  /** The address that the host assigned to the copy of a Service; undefined while it is not known here. */
  addressOfCopy(service: ObjectName): string | undefined {
    return this.#sync.addressOfCopy(service)
  }

  /** The state of each object, and of the link. */
  debug(): Readonly<Record<string, unknown>> {
    return { ...this.#sync.debug(), platform: this.#platform.report() }
  }

  async metrics(): Promise<string> {
    return `${await this.#sync.metrics()}${this.#platform.metrics()}`
  }

  /** This process stops soon: the platform uses other processes of the virtual cluster. */
  leave(): void {
    this.#platform.leave()
  }

  /** The link closes last, because its requests need the API server until then. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#sync.stop()
    await this.#events.stop()
    await this.#platform.stop()
  }

  async #tell(trouble: Trouble): Promise<void> {
    const { host, identity, log } = this.#options
    try {
      this.#own ??= await findOwnObject(host, identity, this.#stopping.signal)
      this.#events.warn(this.#own.object, trouble)
    } catch (error) {
      log.debug('no Event can be written', { error })
    }
  }

  async #keepAdminKubeconfig(): Promise<void> {
    const { host, identity, config, adminKubeconfig, log } = this.#options
    if (adminKubeconfig === undefined) return
    const name = adminSecretName(identity.tenant, config.controlPlane)
    try {
      await keepAdminKubeconfig(host, identity, name, adminKubeconfig, this.#stopping.signal)
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      log.warn('the kubeconfig of the administrator cannot be kept', { secret: name, error })
      await this.#tell({
        reason: 'KubeconfigNotKept',
        message: `the Secret ${name} could not be written: ${String(error)}`,
      })
    }
  }
}
