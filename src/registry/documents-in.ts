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
