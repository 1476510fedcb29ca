import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Node } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { type Admission, type AdmissionPlugin, isCore } from '../../registry/admission/contract.ts'
import { isImport } from '../../sync/names/import-marks.ts'
import { isMarker } from '../../sync/names/markers.ts'
import { nameOf, printName } from '../../sync/names/names.ts'
import { isCordonedByHost } from '../../sync/nodes/plan-node.ts'
import { fieldsOf } from '../../sync/plan/fields.ts'
import { neverTravel } from '../../sync/plan/traveling.ts'
import { syncerUser } from '../clusters.ts'

const help = 'change it on the host, or ask its operator'

/**
 * Warns the writer of an imported object about what the syncer undoes: the write itself succeeds, and nothing else shows
 * that the host's values come back.
 */
export const importedObjects: AdmissionPlugin = {
  name: 'ImportedObjects',
  handles: () => true,
  inspect: (object, admission) => {
    const { old, kind, request } = admission
    if (old === undefined || isUnwarned(admission) || !isImport(old)) return
    const undone = undoneChanges(old, object, isCore(kind, 'Node'))
    if (undone.length === 0) return
    request.warn(
      `${described(old, kind)} is imported from the host, whose value returns to ${undone.join(', ')}: ${help}`,
    )
  },
  remove: (object, admission) => {
    if (isUnwarned(admission) || !isImport(object)) return
    admission.request.warn(
      `${described(object, admission.kind)} is imported from the host and returns while it is there: ${help}`,
    )
  },
}

function isUnwarned({ request: { ignoresWarnings, user } }: Admission): boolean {
  return ignoresWarnings === true || user.name === syncerUser
}

function described(object: KubeObject, { kind }: Kind): string {
  return `${kind} ${printName(nameOf(object))}`
}

function undoneChanges(old: KubeObject, object: KubeObject, isNode: boolean): readonly string[] {
  const isHosts = (key: string) => !neverTravel.has(key)
  const { labels, annotations } = object.metadata
  return [
    ...changedKeys(old.metadata.labels, labels)
      .filter(isHosts)
      .map((key) => `metadata.labels["${key}"]`),
    ...changedKeys(old.metadata.annotations, annotations)
      .filter(isNode ? isMarker : isHosts)
      .map((key) => `metadata.annotations["${key}"]`),
    ...(isNode ? changedOnNode(old as Node, object as Node) : changedKeys(fieldsOf(old), fieldsOf(object))),
  ]
}

/** A cordon by the tenant stays; one by the host cannot be lifted. */
function changedOnNode(old: Node, { spec }: Node): readonly string[] {
  return changedKeys(old.spec, spec)
    .filter((key) => key === 'taints' || (key === 'unschedulable' && isCordonedByHost(old)))
    .map((key) => `spec.${key}`)
}

function changedKeys(before: object = {}, after: object = {}): readonly string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => !deepEqual(old.get(key), now.get(key)))
}
