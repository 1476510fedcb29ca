import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { markerPrefix } from '../../patches/path/reserved.ts'
import type { TextMap } from '../contract.ts'
import { nameOf, printName } from './names.ts'

/** The label of imports; its value is why they were imported. */
export const importedLabel = `${markerPrefix}imported`
const importedFrom = `${markerPrefix}imported-from`
const importedAs = `${markerPrefix}imported-as`
const importedUid = `${markerPrefix}imported-uid`

/** The annotations that mark an object of the virtual cluster as an import. */
export function importAnnotations(source: KubeObject, place: ObjectName): TextMap {
  return {
    [importedFrom]: printName(nameOf(source)),
    [importedAs]: printName(place),
    [importedUid]: source.metadata.uid ?? '',
  }
}

/** Whether an object was imported. Marks that were copied to another name do not count. */
export function isImport(object: KubeObject): boolean {
  const { labels = {}, annotations = {} } = object.metadata
  return labels[importedLabel] !== undefined && annotations[importedAs] === printName(nameOf(object))
}

/** Whether it was imported from this object, and not from an earlier one of the same name. */
export function isImportOf({ metadata }: KubeObject, source: KubeObject): boolean {
  return metadata.annotations?.[importedUid] === source.metadata.uid
}
