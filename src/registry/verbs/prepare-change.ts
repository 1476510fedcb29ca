import type { Kind } from '../../api/kind.ts'
import { healMetadata } from '../../api/metadata/heal.ts'
import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'

/**
 * The object that a write would store: server-owned fields come from the stored object, the endpoint determines which
 * part may change, and a change of the desired state increases the generation.
 */
export function prepareChange(kind: Kind, sent: KubeObject, old: KubeObject, subresource: string): KubeObject {
  const metadata = withManagedFieldsOf(healMetadata(kind, sent.metadata, old.metadata), sent.metadata)
  const healed = { ...sent, metadata }
  if (subresource === 'status') {
    const confined = onlyStatus(kind, healed, old)
    return kind.strategy.prepareForStatusUpdate?.(confined, old) ?? confined
  }
  const partial = kind.partialUpdates?.[subresource]
  if (partial !== undefined) return partial.apply(healed, old)
  const confined = withoutStatus(kind, healed, old)
  return withGeneration(kind, kind.strategy.prepareForUpdate?.(confined, old) ?? confined, old)
}

function onlyStatus(kind: Kind, sent: KubeObject, old: KubeObject): KubeObject {
  const metadata =
    kind.flavor === 'custom' ? withManagedFieldsOf(old.metadata, sent.metadata) : withKept(kind, sent.metadata, old)
  const { status: _, ...rest } = old
  return { ...rest, metadata, ...('status' in sent ? { status: sent.status } : {}) } as KubeObject
}

function withKept({ statusKeeps = [] }: Kind, sent: ObjectMeta, old: KubeObject): ObjectMeta {
  if (statusKeeps.every((name) => sent[name] === old.metadata[name])) return sent
  const others = Object.entries(sent).filter(([name]) => !statusKeeps.some((each) => each === name))
  const kept = statusKeeps.filter((name) => old.metadata[name] !== undefined).map((name) => [name, old.metadata[name]])
  return Object.fromEntries([...others, ...kept])
}

function withManagedFieldsOf(metadata: ObjectMeta, source: ObjectMeta): ObjectMeta {
  const { managedFields: _, ...rest } = metadata
  return source.managedFields === undefined ? rest : { ...rest, managedFields: source.managedFields }
}

function withoutStatus(kind: Kind, sent: KubeObject, old: KubeObject): KubeObject {
  if (!kind.hasStatus) return sent
  const { status: _, ...rest } = sent
  return ('status' in old ? { ...rest, status: old.status } : rest) as KubeObject
}

function withGeneration(kind: Kind, object: KubeObject, old: KubeObject): KubeObject {
  if (!kind.hasGeneration) return object
  const before = old.metadata.generation ?? 0
  const isNew =
    kind.hasConstantGeneration !== true &&
    (desiredStateChanged(object, old, kind.hasStatus) || metadataChanged(kind, object.metadata, old.metadata))
  const generation = isNew ? before + 1 : before
  return { ...object, metadata: { ...object.metadata, generation } }
}

function metadataChanged(kind: Kind, metadata: ObjectMeta, old: ObjectMeta): boolean {
  const { generationCountsAnnotations, generationCountsLabels } = kind
  return (
    (generationCountsAnnotations === true && !deepEqual(metadata.annotations ?? {}, old.annotations ?? {})) ||
    (generationCountsLabels === true && !deepEqual(metadata.labels ?? {}, old.labels ?? {}))
  )
}

function desiredStateChanged(object: KubeObject, old: KubeObject, ignoresStatus: boolean): boolean {
  const members = new Set([...Object.keys(object), ...Object.keys(old)])
  members.delete('metadata')
  if (ignoresStatus) members.delete('status')
  return [...members].some((member) => !deepEqual(object[member], old[member]))
}
