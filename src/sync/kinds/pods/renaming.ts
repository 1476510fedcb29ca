import type { ObjectMeta } from '../../../api/object.ts'
import type { Reference } from '../../contract.ts'

/** The kinds that a Pod names objects of. */
export type NamedKind = 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim'

const objectNames = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/

/** Whether an object can have the name. One that cannot stays as it is: names of what is no copy are made of such parts. */
export function canBeNamed(name: string): boolean {
  return objectNames.test(name)
}

/** Returns the name of an object on the host. `its own`: the Pod is the controller of the object. */
export type Rename = (kind: NamedKind, name: string, whose?: 'its own') => string

/** An object with its name as on the host; one without a name stays as it is. */
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
