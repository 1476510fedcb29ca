import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { SyncKind } from '../contract.ts'
import { importAnnotations, importedLabel, isImportOf } from '../names/import-marks.ts'
import { lastSyncAnnotation } from '../names/markers.ts'
import { fieldsOf, fieldsOver, holdsWanted } from '../plan/fields.ts'
import { valueHash } from '../plan/hash.ts'
import { printLastSync } from '../plan/last-sync.ts'
import { sameMap } from '../plan/merge.ts'
import { type Counterpart, patched, translatedObject } from '../plan/patched.ts'
import { localMaps, type Maps, travelingMaps } from '../plan/traveling.ts'
import type { ImportPlan, ImportRules } from './contract.ts'

/** An object of the host as the virtual cluster should have it: in one direction, complete, and marked as imported. */
export async function planImport(
  source: KubeObject | undefined,
  there: KubeObject | undefined,
  place: ObjectName,
  rules: ImportRules,
): Promise<ImportPlan> {
  if (source === undefined) return there === undefined ? { action: 'nothing' } : removal(there)
  // A recreated object may differ in fields that no update can change.
  if (there !== undefined && !isImportOf(there, source)) return removal(there)
  const { imported = fieldsOf } = rules.kind
  const translated = translatedObject(source, place, travelingMaps(source, rules.kind), imported(source))
  const wanted = await patched(translated, 'toVirtual', { virtualObject: there ?? null, hostObject: source }, rules)
  if (!wanted.ok) return { action: 'fail', trouble: wanted.trouble }
  const maps = importMaps(source, place, wanted, rules)
  return there === undefined
    ? { action: 'create', virtual: translatedObject(source, place, maps, wanted.fields) }
    : planBoth(there, wanted, maps, rules.kind)
}

/** A tenant may hold an import by a finalizer: it is deleted once, and then awaited. */
function removal(there: KubeObject): ImportPlan {
  const { deletionTimestamp, finalizers = [] } = there.metadata
  if (deletionTimestamp === undefined) return { action: 'delete', virtual: there }
  const held = finalizers.length > 0 ? `, and is held by ${finalizers.join(', ')}` : ''
  return { action: 'wait', trouble: { reason: 'ImportBeingDeleted', message: `the import is being deleted${held}` } }
}

/** Fields that the server filled in stay as long as the wanted state is unchanged. */
function planBoth(there: KubeObject, wanted: Counterpart, maps: Maps, kind: SyncKind): ImportPlan {
  const { labels = {}, annotations = {} } = there.metadata
  const local = localMaps(there, kind)
  const metadata = {
    labels: { ...local.labels, ...maps.labels },
    annotations: { ...local.annotations, ...maps.annotations },
  }
  const isSame = sameMap(labels, metadata.labels) && sameMap(annotations, metadata.annotations)
  if (isSame && holdsWanted(there, wanted.fields, kind)) return { action: 'nothing' }
  const fields = fieldsOver(there, wanted.fields, kind)
  return { action: 'update', virtual: { ...there, ...fields, metadata: { ...there.metadata, ...metadata } } }
}

/** The imported fields are remembered as a hash, which shows when the source has lost something. */
function importMaps(source: KubeObject, place: ObjectName, wanted: Counterpart, { cause }: ImportRules): Maps {
  const memory = printLastSync({ fields: valueHash(wanted.fields), labels: {}, annotations: {} })
  return {
    labels: { ...wanted.labels, [importedLabel]: cause },
    annotations: { ...wanted.annotations, ...importAnnotations(source, place), [lastSyncAnnotation]: memory },
  }
}
