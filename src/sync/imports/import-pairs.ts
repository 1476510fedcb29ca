import type { KubeObject } from '../../api/object.ts'
import type { Informer, UnreadableObject } from '../../client/contract.ts'
import { saysGone } from '../../client/says-gone.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { importedLabel, isImport } from '../names/import-marks.ts'
import { nameOf } from '../names/names.ts'
import type { ServedKind } from '../run/kind-parts.ts'
import type { ImportConfig } from './contract.ts'

/** The imports of one kind and their sources, as known here. */
export class ImportPairs {
  /** All objects with the label of an import. */
  readonly virtual: Informer
  readonly #host: ServedKind
  readonly #sources: readonly Informer[]

  constructor(
    { virtual, host }: { readonly virtual: ServedKind; readonly host: ServedKind },
    { sources, rules }: ImportConfig,
    /** Called for sources that cannot be read. */
    onUnreadable: (source: UnreadableObject) => void,
  ) {
    this.#host = host
    this.#sources = sources.map((source) => host.client.informer(host.type, { ...source, onUnreadable }))
    this.virtual = virtual.client.informer(virtual.type, { labelSelector: `${importedLabel}=${rules.cause}` })
  }

  /** Why a side cannot be followed now. */
  get trouble(): string | undefined {
    return this.#informers.map((informer) => informer.trouble).find((trouble) => trouble !== undefined)
  }

  /** Rejects if it is stopped first. */
  async whenSynced(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.whenSynced()))
  }

  /** Reports imports to check; at first, all of them. */
  onChange(virtualOf: ImportConfig['virtualOf'], changed: (virtual: ObjectName) => void): void {
    this.virtual.onChange(({ before, after }) => {
      const object = after ?? before
      if (object !== undefined) changed(nameOf(object))
    })
    for (const informer of this.#sources) {
      informer.onChange(({ before, after }) => {
        const source = after ?? before
        const virtual = source && virtualOf(nameOf(source))
        if (virtual !== undefined) changed(virtual)
      })
    }
  }

  /** Existing and wanted places of imports. */
  *names(virtualOf: ImportConfig['virtualOf']): Iterable<ObjectName> {
    for (const object of this.virtual.all()) yield nameOf(object)
    for (const source of this.#sources.flatMap((informer) => [...informer.all()])) {
      const virtual = virtualOf(nameOf(source))
      if (virtual !== undefined) yield virtual
    }
  }

  /** An object with marks copied from another import belongs to the tenant. */
  importAt(place: ObjectName): KubeObject | undefined {
    const object = this.virtual.get(place)
    return object !== undefined && isImport(object) ? object : undefined
  }

  /** An import is deleted only if the host itself reports that its source was deleted. */
  async sourceAt(
    host: ObjectName,
    there: KubeObject | undefined,
    { readsContent, mayImport }: ImportConfig,
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    const known = this.#sources.map((source) => source.get(host)).find((object) => object !== undefined)
    if (known === undefined && there === undefined) return undefined
    const source = known === undefined || readsContent ? await this.#read(host, signal) : known
    return source !== undefined && (await mayImport(source, signal)) ? source : undefined
  }

  stop(): void {
    for (const informer of this.#informers) informer.stop()
  }

  get #informers(): readonly Informer[] {
    return [this.virtual, ...this.#sources]
  }

  async #read(host: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { client, type } = this.#host
    try {
      return await client.get(type, host, signal)
    } catch (error) {
      if (saysGone(error, host)) return undefined
      throw error
    }
  }
}
