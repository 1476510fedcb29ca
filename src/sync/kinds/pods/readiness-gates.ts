import type { Pod, PodCondition, PodSpec } from '../../../api/types/core-v1.ts'
import { deepEqual } from '../../../base/equal.ts'
import type { ObjectFields } from '../../contract.ts'

type Conditions = readonly PodCondition[]

/**
 * Conditions that a Pod waits for are written by controllers of the tenant, and the kubelet of the host decides by them whether it is
 * ready. Of those that the host has by itself, and the tenant does not, nothing is changed.
 */
export function gatesOnHost({ spec, status }: Pod, copy: Pod): ObjectFields | undefined {
  const wanted = ownGates(spec, status?.conditions)
  const there = copy.status?.conditions ?? []
  if (wanted.every((condition) => there.some((other) => deepEqual(other, condition)))) return undefined
  const others = there.filter(({ type }) => !wanted.some((condition) => condition.type === type))
  return { conditions: [...others, ...wanted] }
}

/** Conditions of the host, with those of the tenant's own gates as the tenant has them. */
export function withOwnGates(host: Conditions, spec: PodSpec, virtual: Conditions | undefined): Conditions {
  const own = ownGates(spec, virtual)
  const missing = own.filter(({ type }) => !host.some((condition) => condition.type === type))
  return [...host.map((condition) => own.find(({ type }) => type === condition.type) ?? condition), ...missing]
}

function ownGates({ readinessGates }: PodSpec, conditions: Conditions = []): Conditions {
  const types = new Set(readinessGates?.map(({ conditionType }) => conditionType))
  return conditions.filter(({ type }) => types.has(type) && !ofKubelet.has(type))
}

/** A gate may name them, and they are still the host's to tell. */
const ofKubelet: ReadonlySet<string> = new Set([
  'Ready',
  'ContainersReady',
  'Initialized',
  'PodScheduled',
  'PodReadyToStartContainers',
  'DisruptionTarget',
])
