import type { Pod, PodCondition, PodSpec } from '../../../api/types/core-v1.ts'
import { deepEqual } from '../../../base/equal.ts'
import type { ObjectFields } from '../../contract.ts'

type Conditions = readonly PodCondition[]
type ConditionsByType = ReadonlyMap<string, PodCondition>

/**
 * The tenant's controllers write the conditions that a Pod's readiness gates wait for, and the kubelet of the host uses
 * them to decide whether it is ready. Conditions that only the host has are not changed.
 */
export function gatesOnHost({ spec, status }: Pod, copy: Pod): ObjectFields | undefined {
  const wanted = ownGates(spec, status?.conditions)
  const there = copy.status?.conditions ?? []
  const known = byType(there)
  if ([...wanted].every(([type, condition]) => deepEqual(known.get(type), condition))) return undefined
  return { conditions: [...there.filter(({ type }) => !wanted.has(type)), ...wanted.values()] }
}

/** Conditions of the host, with those of the tenant's readiness gates taken from the tenant. */
export function withOwnGates(host: Conditions, spec: PodSpec, virtual: Conditions | undefined): Conditions {
  const own = ownGates(spec, virtual)
  const known = byType(host)
  const missing = [...own.values()].filter(({ type }) => !known.has(type))
  return [...host.map((condition) => own.get(condition.type) ?? condition), ...missing]
}

function ownGates({ readinessGates }: PodSpec, conditions: Conditions = []): ConditionsByType {
  const types = new Set(readinessGates?.map(({ conditionType }) => conditionType))
  return byType(conditions.filter(({ type }) => types.has(type) && !ofKubelet.has(type)))
}

/** Of several with the same type, the last one counts. A map, because there may be thousands. */
function byType(conditions: Conditions): ConditionsByType {
  return new Map(conditions.map((condition) => [condition.type, condition]))
}

/** A gate may name these, but the host still decides them. */
const ofKubelet: ReadonlySet<string> = new Set([
  'Ready',
  'ContainersReady',
  'Initialized',
  'PodScheduled',
  'PodReadyToStartContainers',
  'DisruptionTarget',
])
