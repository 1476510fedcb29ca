import type { Reference } from '../../contract.ts'

/** The kinds that a Pod names objects of. */
export type NamedKind = 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim'

const objectNames = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/

/** Whether an object can have the name. One that cannot stays as it is: names of what is no copy are made of such parts. */
export function canBeNamed(name: string): boolean {
  return objectNames.test(name)
}

/** What an object is called on the host. */
export type Rename = (kind: NamedKind, name: string) => string

/** An object with its name as on the host; one without a name stays as it is. */
export function withHostName<Named extends { readonly name?: string }>(
  reference: Named,
  kind: NamedKind,
  rename: Rename,
): Named {
  return reference.name ? { ...reference, name: rename(kind, reference.name) } : reference
}

/** Everything that a translation asks a name for. */
export function referencesBy(namespace: string, translate: (rename: Rename) => unknown): readonly Reference[] {
  const found = new Map<string, Reference>()
  translate((kind, name) => {
    found.set(`${kind}/${name}`, { apiVersion: 'v1', kind, namespace, name })
    return name
  })
  return [...found.values()]
}
