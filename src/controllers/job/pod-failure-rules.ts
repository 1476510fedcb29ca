import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '../../api/types/batch-v1.ts'
import type { ContainerExit, PodEnd } from '../pods/job-pod-facts.ts'
import type { JobPod } from './job-facts.ts'

/** What a failure means for the Job. Without a rule that fits, it counts. */
export type FailureMeaning =
  | { readonly action: 'Count' | 'FailIndex' | 'Ignore' }
  | { readonly action: 'FailJob'; readonly message: string }

const counts: FailureMeaning = { action: 'Count' }
const nothingKnown: PodEnd = { exits: [], conditions: [] }

/** The first rule that fits decides. */
export function failureMeaning(policy: PodFailurePolicy | undefined, pod: JobPod): FailureMeaning {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod)
    if (match !== undefined) return meaningOf(rule.action, `${match} matching ${rule.action} rule at index ${index}`)
  }
  return counts
}

function meaningOf(action: string, message: string): FailureMeaning {
  switch (action) {
    case 'FailJob':
      return { action, message }
    case 'Ignore':
    case 'FailIndex':
      return { action }
    default:
      return counts
  }
}

/** What fits, in words. */
function matchOf({ onExitCodes, onPodConditions = [] }: PodFailurePolicyRule, pod: JobPod): string | undefined {
  const { exits, conditions } = pod.job.end ?? nothingKnown
  const name = `${pod.namespace}/${pod.name}`
  if (onExitCodes !== undefined) {
    const exit = exits.find((each) => fits(onExitCodes, each))
    return exit && `Container ${exit.container} for pod ${name} failed with exit code ${exit.exitCode}`
  }
  const condition = conditions.find((each) => onPodConditions.some((pattern) => isLike(pattern, each)))
  return condition && `Pod ${name} has condition ${condition.type}`
}

function fits(
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
  { container, exitCode }: ContainerExit,
): boolean {
  if (containerName !== undefined && containerName !== container) return false
  return (values ?? []).includes(exitCode) === (operator === 'In')
}

function isLike(pattern: PodFailurePolicyOnPodConditionsPattern, condition: PodEnd['conditions'][number]): boolean {
  return pattern.type === condition.type && pattern.status === condition.status
}
