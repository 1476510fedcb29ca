import { qosClassOf } from '../../api/core/pods/quality-of-service.ts'
import type { Pod, PodAffinityTerm, PodSpec } from '../../api/types/core-v1.ts'
import type { IsInScope } from './contract.ts'

export function podScopes({ spec }: Pod): IsInScope {
  const isEnding = isTerminating(spec)
  const isBestEffort = qosClassOf(spec) === 'BestEffort'
  const isAcross = hasAffinityAcross(spec)
  const { priorityClassName = '' } = spec
  return ({ scopeName, operator, values = [] }) => {
    switch (scopeName) {
      case 'Terminating':
        return isEnding
      case 'NotTerminating':
        return !isEnding
      case 'BestEffort':
        return isBestEffort
      case 'NotBestEffort':
        return !isBestEffort
      case 'CrossNamespacePodAffinity':
        return isAcross
      case 'PriorityClass':
        return hasPriority(priorityClassName, operator, values)
      default:
        return false
    }
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

/** Affinity to Pods of other namespaces. */
function hasAffinityAcross(spec: PodSpec): boolean {
  return affinityTerms(spec).some(({ namespaces = [], namespaceSelector }) => {
    return namespaces.length > 0 || namespaceSelector !== undefined
  })
}

function affinityTerms({ affinity }: PodSpec): readonly PodAffinityTerm[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((each) => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ])
}
