import type { Kind } from '../api/kind.ts'
import type { ObjectId } from './document.ts'

const objectsRoot = '/objects/'

/** All objects of one kind are below one prefix: `/objects/<group>/<plural>/`, where the core group is called `core`. */
export function storagePrefix(kind: Pick<Kind, 'group' | 'plural' | 'storedAs'>): string {
  const { group, plural } = kind.storedAs ?? kind
  return `${objectsRoot}${group === '' ? 'core' : group}/${plural}/`
}

/** The key of an object below its kind's prefix, which also orders lists: by namespace, then by name. */
export function relativeKey(id: ObjectId): string {
  return id.namespace === '' ? id.name : `${id.namespace}/${id.name}`
}

export function parseRelativeKey(key: string): ObjectId {
  const slash = key.indexOf('/')
  return slash < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

/** The prefix of a storage key: everything up to and including the third slash after the root. */
export function prefixOfKey(key: string): string {
  const groupEnd = key.indexOf('/', objectsRoot.length)
  return key.slice(0, key.indexOf('/', groupEnd + 1) + 1)
}

export { objectsRoot }
