import { qosClassOf } from '../../api/core/quality-of-service.ts'
import type { Pod, PodAffinityTerm, PodSpec } from '../../api/types/core-v1.ts'
import type { ScopeRequirement } from './contract.ts'

export function isPodInScope({ spec }: Pod, { scopeName, operator, values = [] }: ScopeRequirement): boolean {
  switch (scopeName) {
    case 'Terminating':
      return isTerminating(spec)
    case 'NotTerminating':
      return !isTerminating(spec)
    case 'BestEffort':
      return qosClassOf(spec) === 'BestEffort'
    case 'NotBestEffort':
      return qosClassOf(spec) !== 'BestEffort'
    case 'CrossNamespacePodAffinity':
      return affinityTerms(spec).some(({ namespaces = [], namespaceSelector }) => {
        return namespaces.length > 0 || namespaceSelector !== undefined
      })
    case 'PriorityClass':
      return hasPriority(spec.priorityClassName ?? '', operator, values)
    default:
      return false
  }
}

function isTerminating({ activeDeadlineSeconds = -1 }: PodSpec): boolean {
  return activeDeadlineSeconds >= 0
}

function hasPriority(name: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'Exists':
      return name !== ''
    case 'DoesNotExist':
      return name === ''
    case 'In':
      return name !== '' && values.includes(name)
    case 'NotIn':
      return name === '' || !values.includes(name)
    default:
      return false
  }
}

function affinityTerms({ affinity }: PodSpec): readonly PodAffinityTerm[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((each) => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ])
}
