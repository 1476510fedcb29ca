import { deepEqual } from '../../base/equal.ts'
import { secretType } from '../../client/builtin-types.ts'
import type { Informer, KubeClient } from '../../client/contract.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { KeyLookup } from './contract.ts'
import { lookUpKey } from './look-up.ts'
import type { KeyPlaces } from './places.ts'
import { secretReader } from './secret-reader.ts'

export interface KeyWatchOptions {
  readonly host: Pick<KubeClient, 'get' | 'informer'>
  /** The environment variable LICENSE. While it is set, no Secret counts. */
  readonly license: string | undefined
  /** Called once at the start, and whenever the result changes. */
  onLookup(lookup: KeyLookup): void
  /** The host cannot be reached now. It is asked again. */
  onTrouble(error: unknown): void
  readonly retryMs?: number
}

const everything = 'key'

/** Follows the Secrets that may contain the key: a change takes effect at once. */
export class KeyWatch {
  readonly #options: KeyWatchOptions
  readonly #retryMs: number
  readonly #loop: Reconciler
  #places: KeyPlaces
  #informers: readonly Informer[] = []
  #last: KeyLookup | undefined

  constructor(options: KeyWatchOptions, places: KeyPlaces) {
    this.#options = options
    this.#retryMs = options.retryMs ?? 10_000
    this.#places = places
    this.#loop = new Reconciler({
      reconcile: () => this.#reconcile(),
      failed: (_name, error) => options.onTrouble(error),
      workers: 1,
      firstPauseMs: 250,
    })
    this.#follow()
  }

  /** Call when the configuration has changed. */
  lookAt(places: KeyPlaces): void {
    if (deepEqual(places, this.#places)) return
    this.#places = places
    this.#unfollow()
    this.#follow()
  }

  async stop(): Promise<void> {
    this.#unfollow()
    await this.#loop.stop()
  }

  #follow(): void {
    const { host, license } = this.#options
    const followed = license?.trim() ? [] : this.#places.secrets
    this.#informers = followed.map(({ namespace, name }) => {
      const informer = host.informer(secretType, { namespace, fieldSelector: `metadata.name=${name}` })
      informer.onChange(() => this.#loop.add(everything))
      return informer
    })
    this.#loop.add(everything)
  }

  #unfollow(): void {
    for (const informer of this.#informers) informer.stop()
    this.#informers = []
  }

  /** Rights change without notice, so a missing or forbidden Secret is checked again and again. */
  async #reconcile(): Promise<void> {
    const { host, license, onLookup } = this.#options
    const setting = { license, places: this.#places, readSecret: secretReader(host) }
    const lookup = await lookUpKey(setting, this.#loop.signal)
    if (lookup.state !== 'found') this.#loop.addAfter(everything, this.#retryMs)
    if (deepEqual(lookup, this.#last)) return
    this.#last = lookup
    onLookup(lookup)
  }
}
