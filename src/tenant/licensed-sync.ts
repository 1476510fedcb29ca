import type { KeyObject } from 'node:crypto'
import type { EffectiveConfig } from '../api/tenant-config/types.ts'
import type { ToldLicense } from '../api/told-license.ts'
import { readEd25519PublicKey } from '../base/keys/ed25519.ts'
import type { ObjectName } from '../patches/contract.ts'
import { Reconciler } from '../reconcile/reconciler.ts'
import type { Trouble } from '../sync/contract.ts'
import { decideLicense, type LicenseDecision, type LicenseSources } from './license/decide.ts'
import { keepLicense, keptLicenseName, readLicenseSecret } from './license/kept-license.ts'
import { neededFeatures } from './license/needed.ts'
import { TenantSync, type TenantSyncOptions } from './sync/tenant-sync.ts'

export interface LicensedSyncOptions extends Omit<TenantSyncOptions, 'isReplicated'> {
  /** A license given to the process itself. */
  readonly license?: string
  /** Used if the configuration does not name the issuer. */
  readonly issuerKey?: string
  /** Whether a platform will report its license; undefined while that is unknown. */
  readonly hasPlatform: () => boolean | undefined
  /** Nothing starts before. */
  readonly after: Promise<void>
  onTrouble(trouble: Trouble): void
}

interface FoundLicense {
  readonly sources: LicenseSources
  readonly issuer?: string | undefined
}

const review = 'review'

/** Syncs with the latest configuration that the license allows. A missing license stops no process. */
export class LicensedSync {
  readonly #options: LicensedSyncOptions
  readonly #loop: Reconciler
  readonly #inStep: Promise<void>
  #resolveInStep: () => void = () => {}
  #mayBegin = false
  #wanted: EffectiveConfig
  #applied: EffectiveConfig | undefined
  #sync: TenantSync | undefined
  #told: ToldLicense | undefined
  #decision: LicenseDecision = { state: 'waiting', message: 'the license has not been looked at yet' }

  constructor(options: LicensedSyncOptions) {
    this.#options = options
    this.#wanted = options.config
    this.#inStep = new Promise((resolve) => {
      this.#resolveInStep = resolve
    })
    this.#loop = new Reconciler({
      reconcile: () => this.#review(),
      failed: (_name, error) => options.log.warn('the license cannot be looked at yet', { error }),
      workers: 1,
      firstPauseMs: 250,
    })
    void options.after.then(() => {
      this.#mayBegin = true
      this.lookAgain()
    })
  }

  whenInStep(): Promise<void> {
    return this.#inStep
  }

  reconfigure(config: EffectiveConfig): void {
    this.#wanted = config
    this.lookAgain()
  }

  /** The platform's license is stored for when it cannot be reached. */
  tell(license: ToldLicense): void {
    if (license.document === this.#told?.document && license.issuer === this.#told.issuer) return
    this.#told = license
    this.lookAgain()
    const { host, identity, log } = this.#options
    keepLicense(host, { namespace: identity.hostNamespace, tenant: identity.tenant }, license).catch((error) => {
      log.warn('the license cannot be kept for outages', { error })
    })
  }

  lookAgain(): void {
    if (this.#mayBegin) this.#loop.add(review)
  }

  addressOfCopy(service: ObjectName): string | undefined {
    return this.#sync?.addressOfCopy(service)
  }

  debug(): Readonly<Record<string, unknown>> {
    const { identity } = this.#options
    const known = this.#sync?.debug() ?? { tenant: identity, kinds: [] }
    return { ...known, ...(this.#decision.state !== 'granted' && { license: this.#decision }) }
  }

  async metrics(): Promise<string> {
    return (await this.#sync?.metrics()) ?? ''
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#sync?.stop()
  }

  async #review(): Promise<void> {
    const config = this.#wanted
    const needed = neededFeatures(config)
    const hasPlatform = this.#options.hasPlatform()
    if (needed.length > 0 && hasPlatform === undefined) return
    const { sources, issuer } = needed.length === 0 ? { sources: {} } : await this.#found(config)
    const issuerKey = this.#issuerKey(config, issuer)
    const decision = await decideLicense({
      needed,
      sources,
      hasPlatform: hasPlatform === true,
      nowMs: this.#options.clock.now(),
      ...(issuerKey && { issuerKey }),
    })
    this.#tellChange(decision)
    this.#decision = decision
    if (decision.state === 'granted') await this.#apply(config)
  }

  /** The platform names only the issuer of its own license, so a given license comes without one. */
  async #found({ license: { secretName } }: EffectiveConfig): Promise<FoundLicense> {
    const { host, identity, license } = this.#options
    const { tenant, hostNamespace: namespace } = identity
    const inSecret = secretName ? await readLicenseSecret(host, { namespace, name: secretName }) : undefined
    const given = license ?? inSecret?.document
    if (given !== undefined && given !== '') return { sources: { given } }
    if (this.#told !== undefined) return { sources: { told: this.#told.document }, issuer: this.#told.issuer }
    const kept = await readLicenseSecret(host, { namespace, name: keptLicenseName(tenant) })
    return kept === undefined ? { sources: {} } : { sources: { kept: kept.document }, issuer: kept.issuer }
  }

  /** The operator's setting takes precedence. */
  #issuerKey({ license }: EffectiveConfig, told: string | undefined): KeyObject | undefined {
    const text = license.issuerKey ?? this.#options.issuerKey ?? told
    try {
      return text ? readEd25519PublicKey(text) : undefined
    } catch (error) {
      this.#options.log.error('the key of the issuer of licenses cannot be used', { error })
      return undefined
    }
  }

  #tellChange(decision: LicenseDecision): void {
    const { log, onTrouble } = this.#options
    const before = messageOf(this.#decision)
    const message = messageOf(decision)
    if (message === undefined || message === before) return
    if (decision.state === 'refused') {
      log.error('the configuration is not applied', { reason: message })
      onTrouble({ reason: 'LicenseMissing', message })
    } else if (decision.state === 'waiting') log.info(message)
    else log.warn(message)
  }

  async #apply(config: EffectiveConfig): Promise<void> {
    if (config === this.#applied) return
    this.#applied = config
    if (this.#sync !== undefined) return this.#sync.reconfigure(config)
    this.#sync = new TenantSync({ ...this.#options, config, isReplicated: config.controlPlane.replicas > 1 })
    void this.#sync.whenInStep().then(() => this.#resolveInStep())
  }
}

function messageOf(decision: LicenseDecision): string | undefined {
  return decision.state === 'granted' ? decision.warning : decision.message
}
