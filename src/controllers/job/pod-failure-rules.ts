import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '../../api/types/batch-v1.ts'
import { type ContainerExit, endConditionKey, type PodEnd } from '../pods/job-pod-facts.ts'
import type { JobPod } from './job-facts.ts'

/** What a failure means for the Job. Without a matching rule, it counts. */
export type FailureMeaning =
  | { readonly action: 'Count' | 'FailIndex' | 'Ignore' }
  | { readonly action: 'FailJob'; readonly message: string }

export type FailureReader = (pod: JobPod) => FailureMeaning

const counts: FailureMeaning = { action: 'Count' }
const nothingKnown: PodEnd = { exits: [], conditions: new Set() }

/** The first matching rule decides. Each Pod is evaluated once, however often it is needed. */
export function failureReader(policy: PodFailurePolicy | undefined): FailureReader {
  const rules = policy?.rules ?? []
  const matchers = rules.map(matcherOf)
  const read = (pod: JobPod): FailureMeaning => {
    for (const [index, { action }] of rules.entries()) {
      const match = matchers[index]?.(pod)
      if (match !== undefined) return meaningOf(action, `${match} matching ${action} rule at index ${index}`)
    }
    return counts
  }
  const known = new Map<JobPod, FailureMeaning>()
  return (pod) => {
    const meaning = known.get(pod) ?? read(pod)
    known.set(pod, meaning)
    return meaning
  }
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

/** Returns what matches, in words. */
type RuleMatcher = (pod: JobPod) => string | undefined

function matcherOf({ onExitCodes, onPodConditions = [] }: PodFailurePolicyRule): RuleMatcher {
  return onExitCodes === undefined ? conditionMatcher(onPodConditions) : exitMatcher(onExitCodes)
}

function exitMatcher({ containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement): RuleMatcher {
  const codes = new Set(values)
  const fits = ({ container, exitCode }: ContainerExit) =>
    (containerName ?? container) === container && codes.has(exitCode) === (operator === 'In')
  return ({ namespace, name, job }) => {
    const exit = (job.end ?? nothingKnown).exits.find(fits)
    return exit && `Container ${exit.container} for pod ${namespace}/${name} failed with exit code ${exit.exitCode}`
  }
}

/** A Pod may have thousands of conditions, and a rule names a few, so these are looked up. */
function conditionMatcher(patterns: readonly PodFailurePolicyOnPodConditionsPattern[]): RuleMatcher {
  return ({ namespace, name, job }) => {
    const { conditions } = job.end ?? nothingKnown
    const pattern = patterns.find(({ type, status }) => conditions.has(endConditionKey(type, status)))
    return pattern && `Pod ${namespace}/${name} has condition ${pattern.type}`
  }
}
