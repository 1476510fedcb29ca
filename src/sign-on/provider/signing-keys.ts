import { exportJWK, importJWK, type JWK } from 'jose'
import type { Clock } from '../../base/clock.ts'
import { generateSigningKeyPem, readSigningKey } from '../../base/keys/keypair.ts'
import type { Random } from '../../base/random.ts'
import type { Store } from '../../storage/contract.ts'
import { openText, sealText } from '../stored/sealing.ts'
import { signOnRoot } from '../stored/store-root.ts'
import { signingAlgorithm } from './endpoints.ts'

const place = `${signOnRoot}provider-keys`
const hourMs = 3_600_000
const usedForMs = 30 * 24 * hourMs
/** A key is published before it is used to sign: applications cache what they have read. */
const publishedBeforeMs = 24 * hourMs
/** Another replica may have created one. */
const rememberedMs = 60_000

interface StoredKey {
  readonly kid: string
  readonly madeMs: number
  readonly jwk: JWK
}

export interface SigningKeysParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly sealingKey: () => Promise<Uint8Array>
}

/** The keys that sign tokens: encrypted in the store, shared by all replicas, replaced regularly. */
export class SigningKeys {
  readonly #parts: SigningKeysParts
  #known: { readonly keys: Promise<readonly StoredKey[]>; readonly untilMs: number } | undefined

  constructor(parts: SigningKeysParts) {
    this.#parts = parts
  }

  async published(): Promise<readonly JWK[]> {
    const keys = await this.#keys()
    return keys.map(({ kid, jwk: { kty, n, e } }) => ({
      ...(kty === undefined ? {} : { kty }),
      ...(n === undefined ? {} : { n }),
      ...(e === undefined ? {} : { e }),
      kid,
      alg: signingAlgorithm,
      use: 'sig',
    }))
  }

  /** The latest key that applications have had time to read; at first the only one. */
  async current() {
    const keys = await this.#keys()
    const nowMs = this.#parts.clock.now()
    const ready = keys.findLast(({ madeMs }) => madeMs + publishedBeforeMs <= nowMs) ?? keys[0]
    if (ready === undefined)
      throw new Error('The provider has no key to sign with, although one is made when there is none.')
    return { kid: ready.kid, key: await importJWK(ready.jwk, signingAlgorithm) }
  }

  #keys(): Promise<readonly StoredKey[]> {
    const nowMs = this.#parts.clock.now()
    if (this.#known !== undefined && nowMs < this.#known.untilMs) return this.#known.keys
    const keys = this.#read()
    const known = { keys, untilMs: nowMs + rememberedMs }
    this.#known = known
    keys.catch(() => {
      if (this.#known === known) this.#known = undefined
    })
    return keys
  }

  async #read(): Promise<readonly StoredKey[]> {
    const { store, clock, sealingKey } = this.#parts
    const stored = await store.get(place)
    const opened = stored && (await openText(Buffer.from(stored.value).toString(), await sealingKey()))
    const before: readonly StoredKey[] = opened === undefined ? [] : JSON.parse(opened)
    const keys = await this.#renewed(before, clock.now())
    if (keys === before) return before
    const sealed = Buffer.from(await sealText(JSON.stringify(keys), await sealingKey()))
    const { outcome } = await (stored === undefined
      ? store.create(place, sealed)
      : store.update(place, sealed, stored.revision))
    return outcome === 'written' ? keys : this.#read()
  }

  async #renewed(before: readonly StoredKey[], nowMs: number): Promise<readonly StoredKey[]> {
    const last = before.at(-1)
    if (last !== undefined && nowMs < last.madeMs + usedForMs) return before
    // Tokens signed with the key before the last have long expired.
    return [...before.slice(-1), await this.#made(nowMs)]
  }

  async #made(nowMs: number): Promise<StoredKey> {
    const { privateKey } = readSigningKey(await generateSigningKeyPem())
    const kid = Buffer.from(this.#parts.random.bytes(9)).toString('base64url')
    return { kid, madeMs: nowMs, jwk: await exportJWK(privateKey) }
  }
}
