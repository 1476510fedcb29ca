import { type FieldError, invalidField } from '../field-error.ts'
import type { KubeObject } from '../object.ts'
import type { ReplicationControllerStatus } from '../types/core-v1.ts'
import type { TypedColumn } from './builtin-kind.ts'
import { integerColumn } from './columns.ts'
import { checkNotNegative } from './field-checks.ts'

type Counts = Readonly<Record<string, number | undefined>>

/** No count in a status may be negative. */
export function validateCounts(status: Counts): readonly FieldError[] {
  return Object.entries(status).flatMap(([name, count]) => checkNotNegative(`status.${name}`, count))
}

/** Counts that are a part of all replicas. */
export function validateParts(status: Counts, replicas: number): readonly FieldError[] {
  return Object.entries(status).flatMap(([name, count = 0]) =>
    count > replicas ? [invalidField(`status.${name}`, count, 'cannot be greater than status.replicas')] : [],
  )
}

export function validateAvailable(available = 0, ready = 0, readyField = 'readyReplicas'): readonly FieldError[] {
  if (available <= ready) return []
  return [invalidField('status.availableReplicas', available, `cannot be greater than ${readyField}`)]
}

/** The collision count never decreases, so names that were taken are not tried again. */
export function checkCollisions(after: Collided, before: Collided): readonly FieldError[] {
  const { collisionCount: count } = after
  const { collisionCount: known } = before
  if (known === undefined || (count !== undefined && count >= known)) return []
  return [invalidField('status.collisionCount', count ?? 0, 'cannot be decremented')]
}

interface Collided {
  readonly collisionCount?: number
}

interface Replicated extends KubeObject {
  readonly spec: { readonly replicas?: number }
  readonly status: ReplicationControllerStatus
}

/** For ReplicaSets and ReplicationControllers. */
export function replicaColumns<T extends Replicated>(): readonly TypedColumn<T>[] {
  return [
    integerColumn('Desired', 'Desired number of pods.', ({ spec }) => spec.replicas ?? 0),
    integerColumn('Current', 'Current number of pods.', ({ status }) => status.replicas),
    integerColumn('Ready', 'Pods that are ready.', ({ status }) => status.readyReplicas ?? 0),
  ]
}

/** For ReplicaSets and ReplicationControllers. */
export function validateReplicaStatus(status: ReplicationControllerStatus): readonly FieldError[] {
  const { replicas, fullyLabeledReplicas, readyReplicas, availableReplicas, observedGeneration } = status
  return [
    ...validateCounts({ replicas, fullyLabeledReplicas, readyReplicas, availableReplicas, observedGeneration }),
    ...validateParts({ fullyLabeledReplicas, readyReplicas, availableReplicas }, replicas),
    ...validateAvailable(availableReplicas, readyReplicas),
  ]
}
