import { createHash } from 'node:crypto'
import { type AggregatedVersion, aggregatedDiscovery } from './aggregated.ts'
import type { Catalog } from './catalog.ts'

/** Aggregated discovery of all groups, encoded. */
export interface DiscoveryDocument {
  readonly body: Buffer
  readonly etag: string
}

/** `/api`, or `/apis`. */
export type DiscoveryRoot = 'core' | 'others'

/** Discovery documents. They are long and every client requests them, so each is built once per catalog. */
export class DiscoveryDocuments {
  readonly #made = new WeakMap<Catalog, Map<string, DiscoveryDocument>>()

  of(catalog: Catalog, root: DiscoveryRoot, version: AggregatedVersion): DiscoveryDocument {
    const made = this.#made.get(catalog) ?? new Map<string, DiscoveryDocument>()
    this.#made.set(catalog, made)
    const key = `${root}/${version}`
    const document = made.get(key) ?? newDocument(catalog, root, version)
    made.set(key, document)
    return document
  }
}

function newDocument({ groups }: Catalog, root: DiscoveryRoot, version: AggregatedVersion): DiscoveryDocument {
  const shown = groups.filter(({ name }) => (name === '') === (root === 'core'))
  const body = Buffer.from(`${JSON.stringify(aggregatedDiscovery(shown, version))}\n`)
  return { body, etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"` }
}
