import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { conflict } from '../../api/error.ts'
import type { RotationPart, RotationResult } from '../../api/rotation.ts'
import { readBundle } from '../../base/certificates/authority-bundle.ts'
import { type CommonFiles, followedOrderFile } from '../../base/certificates/common-files.ts'
import { endServerCertificate, replaceAuthority } from '../../base/certificates/ensure.ts'
import { systemClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Store } from '../../storage/contract.ts'
import type { TlsFlags } from '../certificates/server-tls.ts'
import type { ShownCertificate } from '../certificates/shown-certificate.ts'
import type { ServerIdentity } from '../identity/server-identity.ts'
import type { RotationOrder } from './rotation-order.ts'
import { RotationOrders } from './rotation-orders.ts'
import { rotationRoute } from './rotation-route.ts'

/** Each is sent with every handshake during its overlap. */
const mostAuthoritiesBefore = 8

export interface ServerRotationOptions {
  readonly directory: string
  /** Distinguishes the servers of one directory. */
  readonly name: string
  readonly tls: TlsFlags
  readonly files: CommonFiles
  readonly store: Store
  readonly identity: Pick<ServerIdentity, 'rotateKeys' | 'rereadKeys'>
  readonly certificate: ShownCertificate
  readonly log: Log
}

/** Replaces the certificates and keys of a running server: existing connections and credentials continue to work. */
export class ServerRotation {
  readonly #options: ServerRotationOptions
  readonly #orders: RotationOrders
  readonly route: ExtraRoute

  constructor(options: ServerRotationOptions) {
    const { directory, name, store, log } = options
    this.#options = options
    const file = join(directory, 'pki', name, followedOrderFile)
    const follow = (order: RotationOrder) => this.#follow(order)
    this.#orders = new RotationOrders({ store, log, file, follow, adopt: () => this.#adopt() })
    this.route = rotationRoute({ rotate: (order) => this.#rotate(order), random: systemRandom })
  }

  start(): void {
    this.#orders.start()
  }

  stop(): Promise<void> {
    return this.#orders.stop()
  }

  async #rotate(order: RotationOrder): Promise<RotationResult> {
    if (order.parts.includes('authority')) this.#requireFewAuthorities()
    await this.#orders.give(order)
    const parts = order.parts.map((part) => [part, this.#isGiven(part) ? 'given' : 'replaced'] as const)
    return { parts: Object.fromEntries(parts), ...this.#shown() }
  }

  async #follow({ id, parts, overlapMs }: RotationOrder): Promise<void> {
    const { directory, name, files, identity, log } = this.#options
    const own = parts.filter((part) => !this.#isGiven(part))
    const pki = join(directory, 'pki')
    if (own.includes('authority')) {
      await files.once(id, () => replaceAuthority({ directory: pki, clock: systemClock }, overlapMs))
    }
    if (own.includes('certificate')) await endServerCertificate(pki, name)
    if (own.includes('service-account-keys')) await identity.rotateKeys(overlapMs)
    log.info('certificates and keys were replaced', { parts: own })
  }

  async #adopt(): Promise<void> {
    const { identity, certificate, log } = this.#options
    await certificate.look()
    if (identity.rereadKeys()) log.info('tokens are signed with a key that another replica has made')
  }

  /** The operator replaces what they have provided. The files are read again when they change. */
  #isGiven(part: RotationPart): boolean {
    const { tlsCert, tlsCaKey } = this.#options.tls
    if (part === 'certificate') return tlsCert !== undefined
    return part === 'authority' && (tlsCert ?? tlsCaKey) !== undefined
  }

  #requireFewAuthorities(): void {
    if (this.#shown().authoritiesBefore < mostAuthoritiesBefore) return
    throw conflict(
      { group: '', plural: 'certificates' },
      'authority',
      `the authority was replaced ${mostAuthoritiesBefore} times, and clients may still trust each of those before: wait for the end of an overlap, and give --overlap when you replace it`,
    )
  }

  #shown() {
    const { certificate, authority } = this.#options.certificate.shown
    const { signer, before } = readBundle(authority, systemClock.now())
    return {
      certificateEnds: dateOf(new X509Certificate(certificate)),
      authorityFingerprint: signer.fingerprint256,
      authorityEnds: dateOf(signer),
      authoritiesBefore: before.length,
    }
  }
}

function dateOf({ validTo }: X509Certificate): string {
  return new Date(validTo).toISOString()
}
