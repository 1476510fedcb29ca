import type { ExternalConfig } from '../api/tenant-config/types.ts'
import type { ToldLicense } from '../api/told-license.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { KubeClient } from '../client/contract.ts'
import { Reconciler } from '../reconcile/reconciler.ts'
import type { Trouble } from '../sync/contract.ts'
import type { TenantPlace } from '../sync/names/names.ts'
import { IdentitySecret } from './identity-secret.ts'
import type { LinkState, TenantLink, TenantLinkOptions, VirtualApi } from './link/contract.ts'
import { startTenantLink } from './link/link-keeper.ts'
import { findOwnObject } from './own-object.ts'
import type { KeyLookup, PlatformKey } from './platform-key/contract.ts'
import { KeyWatch } from './platform-key/key-watch.ts'
import { keyPlaces } from './platform-key/places.ts'
import { lookupProblem, printSource } from './platform-key/wording.ts'

export interface PlatformConnectionOptions {
  readonly identity: TenantPlace
  readonly external: ExternalConfig
  readonly host: KubeClient
  readonly virtualApi: VirtualApi
  readonly version: TenantLinkOptions['identity']['version']
  readonly processName: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** For durations: `monotonicClock`. */
  readonly elapsed: Clock
  readonly random: Random
  readonly log: Log
  readonly known?: TenantLinkOptions['identity']['known'] | undefined
  /** No link is opened before, because a new link replaces that of another process. */
  readonly mayLink: Promise<void>
}

export interface PlatformListener {
  /** The platform reported its license. */
  onLicense(license: ToldLicense): void
  /** It is now known whether there is a key. */
  onKey(): void
  /** A problem that the operator of the tenant must resolve. */
  onTrouble(trouble: Trouble): void
}

type Heard = (listener: PlatformListener) => void

/** Limit of events kept before there is a listener. */
const mostUnheard = 20

export interface PlatformReport {
  /** The source of the key; absent without one. */
  readonly key?: string
  /** Why there is no usable key. */
  readonly problem?: string
  readonly link?: LinkState
}

const own = 'own'

/** Finds the key of the tenant, and keeps its link open. Whatever fails here, the tenant continues. */
export class PlatformConnection {
  readonly #options: PlatformConnectionOptions
  readonly #watch: KeyWatch
  readonly #linking: Reconciler
  readonly #linked = settled()
  readonly #tried = settled()
  #external: ExternalConfig
  #key: PlatformKey | undefined
  #lookup: KeyLookup | undefined
  #link: TenantLink | undefined
  #isLeaving = false
  #listener: PlatformListener | undefined
  #unheard: readonly Heard[] = []

  constructor(options: PlatformConnectionOptions) {
    const { host, identity, env, log } = options
    this.#options = options
    this.#external = options.external
    this.#linking = new Reconciler({
      reconcile: () => this.#open(),
      failed: (_name, error) => log.warn('cannot open the link yet', { error }),
      workers: 1,
      firstPauseMs: 250,
    })
    this.#watch = new KeyWatch(
      {
        host,
        license: env.LICENSE,
        onLookup: (lookup) => this.#found(lookup),
        onTrouble: (error) => log.warn('the host cannot be asked for the key of the platform', { error }),
      },
      keyPlaces(options.external, identity.hostNamespace),
    )
  }

  /** Also receives what has happened so far. */
  listen(listener: PlatformListener): void {
    this.#listener = listener
    for (const heard of this.#unheard) heard(listener)
    this.#unheard = []
  }

  /** Undefined: not known yet. */
  get hasKey(): boolean | undefined {
    return this.#lookup === undefined ? undefined : this.#key !== undefined
  }

  /** Resolves when the link is open for the first time. */
  whenLinked(): Promise<void> {
    return this.#linked.promise
  }

  /** Resolves when the link is open for the first time, could not be opened, or is not needed. */
  whenTried(): Promise<void> {
    return this.#tried.promise
  }

  reconfigure(external: ExternalConfig): void {
    this.#external = external
    this.#watch.lookAt(keyPlaces(external, this.#options.identity.hostNamespace))
  }

  report(): PlatformReport {
    const problem = this.#lookup && lookupProblem(this.#lookup)
    return {
      ...(this.#key && { key: printSource(this.#key.source) }),
      ...(problem !== undefined && { problem }),
      ...(this.#link && { link: this.#link.state }),
    }
  }

  /** Empty for a virtual cluster without a platform. */
  metrics(): string {
    if (this.#key === undefined) return ''
    return [
      '# HELP tenant_link_up Whether the link to the platform is open.',
      '# TYPE tenant_link_up gauge',
      `tenant_link_up ${this.#link?.state.state === 'linked' ? 1 : 0}`,
      '',
    ].join('\n')
  }

  /** This process stops soon, or has another store: the platform uses other processes of the virtual cluster. */
  leave(): void {
    this.#isLeaving = true
    this.#link?.leave()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#linking.stop(), this.#watch.stop()])
    await this.#link?.stop()
  }

  /** A key that is no longer found may still be valid: only the platform revokes it. */
  #found(lookup: KeyLookup): void {
    this.#lookup = lookup
    const problem = lookupProblem(lookup)
    if (problem !== undefined) {
      this.#options.log.warn('no key for the platform', { message: problem })
      this.#tell(({ onTrouble }) => onTrouble({ reason: 'PlatformKeyMissing', message: problem }))
    } else if (lookup.state === 'absent') {
      this.#options.log.info('no key for the platform: this virtual cluster stands alone', {
        looked: lookup.looked.map(printSource),
      })
    }
    if (lookup.state === 'found') this.#take(lookup.key)
    else this.#tried.settle()
    this.#tell(({ onKey }) => onKey())
  }

  #take(key: PlatformKey): void {
    this.#key = key
    if (this.#link === undefined) this.#linking.add(own)
    else this.#link.takeKey(key)
  }

  async #open(): Promise<void> {
    const { identity, host, virtualApi, version, processName, env, elapsed, random, log, known, mayLink } =
      this.#options
    const { uid } = await findOwnObject(host, identity, this.#linking.signal)
    await Promise.race([mayLink, whenAborted(this.#linking.signal)])
    const key = this.#key
    if (key === undefined || this.#link !== undefined || this.#linking.signal.aborted) return
    const project = this.#external.platform?.project
    this.#link = startTenantLink({
      key,
      identity: {
        name: identity.tenant,
        namespace: identity.hostNamespace,
        serviceUid: uid,
        version,
        ...(project !== undefined && { project }),
        ...(known !== undefined && { known }),
      },
      proofs: new IdentitySecret(host, identity, this.#linking.signal),
      processName,
      virtualApi,
      env,
      elapsed,
      random,
      log,
      onLicense: (license) => this.#tell(({ onLicense }) => onLicense(license)),
      onState: (state) => {
        if (state.state === 'waiting') {
          const { problem } = state
          this.#tell(({ onTrouble }) => onTrouble(problem))
        }
        if (state.state === 'linked') this.#linked.settle()
        if (state.state !== 'connecting') this.#tried.settle()
      },
    })
    if (this.#isLeaving) this.#link.leave()
  }

  #tell(heard: Heard): void {
    if (this.#listener === undefined) this.#unheard = [...this.#unheard, heard].slice(-mostUnheard)
    else heard(this.#listener)
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function settled() {
  let settle = () => {}
  const promise = new Promise<void>((resolve) => {
    settle = resolve
  })
  return { promise, settle }
}
