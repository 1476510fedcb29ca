import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { markerPrefix } from '../../patches/path/reserved.ts'
import type { TextMap } from '../contract.ts'
import { nameOf, printName } from '../names/names.ts'

/** The label by which imports are found; its value is why they came. */
export const importedLabel = `${markerPrefix}imported`
const importedFrom = `${markerPrefix}imported-from`
const importedAs = `${markerPrefix}imported-as`
const importedUid = `${markerPrefix}imported-uid`

/** What makes an object of the virtual cluster the import of one of the host. */
export function importAnnotations(source: KubeObject, place: ObjectName): TextMap {
  return {
    [importedFrom]: printName(nameOf(source)),
    [importedAs]: printName(place),
    [importedUid]: source.metadata.uid ?? '',
  }
}

/** Whether an object came from the host. Marks that were copied along to another name do not make it so. */
export function isImport(object: KubeObject): boolean {
  const { labels = {}, annotations = {} } = object.metadata
  return labels[importedLabel] !== undefined && annotations[importedAs] === printName(nameOf(object))
}

/** Whether it was made from this very object, and not from one that had the name before. */
export function isImportOf({ metadata }: KubeObject, source: KubeObject): boolean {
  return metadata.annotations?.[importedUid] === source.metadata.uid
}
