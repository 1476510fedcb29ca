import type { ObjectKey, ResourceType, Selection } from './contract.ts'

type Query = Readonly<Record<string, string | undefined>>

/** The path of all objects of a resource, or of those in one namespace. */
export function collectionPath(type: ResourceType, namespace = ''): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`
  if (isNoSegment(namespace)) throw new Error(`"${namespace}" is not a name of a namespace`)
  const inNamespace = type.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${inNamespace}/${type.resource}`
}

export function objectPath(type: ResourceType, { namespace, name }: ObjectKey, subresource?: string): string {
  if (type.namespaced && namespace === '') throw new Error(`a name of ${type.resource} needs a namespace`)
  // An empty name would give the path of the collection, and a deletion would delete everything.
  if (name === '' || isNoSegment(name)) throw new Error(`"${name}" is not a name of ${type.resource}`)
  const path = `${collectionPath(type, namespace)}/${encodeURIComponent(name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}

/** Servers and proxies may take such a segment of a path for another path. */
function isNoSegment(text: string): boolean {
  return text === '.' || text === '..'
}

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

export function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector: labelSelector || undefined, fieldSelector: fieldSelector || undefined }
}
