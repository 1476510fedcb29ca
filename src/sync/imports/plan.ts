import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { SyncKind, TextMap, Trouble } from '../contract.ts'
import { fieldsOf, holdsWanted } from '../fields.ts'
import { importedFrom, importedLabel } from '../markers.ts'
import { sameMap } from '../merge.ts'
import { nameOf, printName } from '../names.ts'
import { patched, translatedObject } from '../patched.ts'
import type { KindRules } from '../rules.ts'
import { localMaps, travellingMaps } from '../travelling.ts'

/** Why something was imported: tenant.yaml says so, or something synced refers to it. */
export type ImportCause = 'mapping' | 'reference'

export type ImportPlan =
  | { readonly action: 'nothing' }
  | { readonly action: 'create'; readonly virtual: KubeObject }
  | { readonly action: 'update'; readonly virtual: KubeObject }
  | { readonly action: 'delete'; readonly virtual: KubeObject }
  | { readonly action: 'fail'; readonly trouble: Trouble }

export interface ImportRules {
  readonly kind: SyncKind
  readonly cause: ImportCause
  readonly patch: KindRules['patch']
}

/** An object of the host as the virtual cluster should have it: one way, whole, and marked as imported. */
export async function planImport(
  source: KubeObject | undefined,
  there: KubeObject | undefined,
  place: ObjectName,
  rules: ImportRules,
): Promise<ImportPlan> {
  if (source === undefined) return there === undefined ? { action: 'nothing' } : { action: 'delete', virtual: there }
  const { kind, cause } = rules
  const maps = travellingMaps(source, kind)
  const translated = translatedObject(source, place, maps, fieldsOf(source))
  const wanted = await patched(translated, 'toVirtual', { virtualObject: there ?? null, hostObject: source }, rules)
  if (!wanted.ok) return { action: 'fail', trouble: wanted.trouble }
  const labels = { ...wanted.labels, [importedLabel]: cause }
  const annotations = { ...wanted.annotations, [importedFrom]: printName(nameOf(source)) }
  if (there === undefined) {
    return { action: 'create', virtual: translatedObject(source, place, { labels, annotations }, wanted.fields) }
  }
  const local = localMaps(there, kind)
  const metadata = { labels: { ...local.labels, ...labels }, annotations: { ...local.annotations, ...annotations } }
  if (isSame(there, metadata) && holdsWanted(there, wanted.fields, kind)) return { action: 'nothing' }
  return { action: 'update', virtual: { ...there, ...wanted.fields, metadata: { ...there.metadata, ...metadata } } }
}

function isSame(
  { metadata }: KubeObject,
  wanted: { readonly labels: TextMap; readonly annotations: TextMap },
): boolean {
  return sameMap(metadata.labels ?? {}, wanted.labels) && sameMap(metadata.annotations ?? {}, wanted.annotations)
}
