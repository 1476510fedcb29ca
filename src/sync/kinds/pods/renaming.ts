import type { ObjectMeta } from '../../../api/object.ts'
import type { Reference } from '../../contract.ts'

/** The kinds that a Pod refers to by name. */
export type NamedKind = 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim'

const objectNames = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/

/**
 * Whether an object can have the name. An impossible name is not translated, because names of companions are derived
 * from such texts.
 */
export function canBeNamed(name: string): boolean {
  return objectNames.test(name)
}

/** Returns the name of an object on the host. `its own`: the Pod is the controller of the object. */
export type Rename = (kind: NamedKind, name: string, whose?: 'its own') => string

/** The reference with its name on the host; one without a name is unchanged. */
export function withHostName<Named extends { readonly name?: string }>(
  reference: Named,
  kind: NamedKind,
  rename: Rename,
): Named {
  return reference.name ? { ...reference, name: rename(kind, reference.name) } : reference
}

/** Every object whose name a translation asks for. */
export function referencesBy(
  { namespace = '', uid = '' }: ObjectMeta,
  translate: (rename: Rename) => unknown,
): readonly Reference[] {
  const found = new Map<string, Reference>()
  translate((kind, name, whose) => {
    const owned = whose === undefined ? {} : { controllerUid: uid }
    found.set(`${kind}/${name}`, { apiVersion: 'v1', kind, namespace, name, ...owned })
    return name
  })
  return [...found.values()]
}
