import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'

/** What every namespace gets by itself. */
const furniture: ReadonlySet<string> = new Set(['ServiceAccount default', 'ConfigMap kube-root-ca.crt'])

/** Whether a namespace contains nothing that a user put there. Events do not count. */
export function isEmptied(namespace: string, contents: readonly ResourceContext[]): boolean {
  return contents.every((context) => context.kind.kind === 'Event' || !holdsForeign(context, namespace))
}

function holdsForeign({ kind, cache }: ResourceContext, namespace: string): boolean {
  let found = false
  cache.current().forRange(`${namespace}/`, `${namespace}0`, false, (_key: string, { name }: StoredDocument) => {
    if (!furniture.has(`${kind.kind} ${name}`)) found = true
  })
  return found
}
