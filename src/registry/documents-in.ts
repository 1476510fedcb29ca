import type { ResourceContext } from './context.ts'
import type { StoredDocument } from './document.ts'

/** The current objects of a kind in one namespace. */
export function documentsIn({ cache }: ResourceContext, namespace: string): readonly StoredDocument[] {
  const found: StoredDocument[] = []
  cache.current().forRange(`${namespace}/`, `${namespace}0`, false, (_, document) => {
    found.push(document)
  })
  return found
}

/** The same as of now, however long it takes to go through them. An empty namespace: those of a cluster-scoped kind. */
export function* snapshotOf(
  { cache, kind }: Pick<ResourceContext, 'cache' | 'kind'>,
  namespace: string,
): Generator<StoredDocument> {
  if (kind.namespaced && namespace === '') return
  const documents = cache.snapshot()
  const first = namespace === '' ? undefined : `${namespace}/`
  for (const [key, document] of documents.entries(first)) {
    if (namespace !== '' && key >= `${namespace}0`) return
    yield document
  }
}
