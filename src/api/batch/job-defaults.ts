import { withTemplateDefaults } from '../core/pods/pod-template.ts'
import type { JobSpec, PodFailurePolicy } from '../types/batch-v1.ts'

const defaultBackoffLimit = 6
const maxInt32 = 2_147_483_647

export function withJobDefaults(spec: JobSpec): JobSpec {
  const hasNoCounts = spec.completions === undefined && spec.parallelism === undefined
  const withPolicy = spec.podFailurePolicy
  return {
    ...spec,
    ...(hasNoCounts ? { completions: 1 } : {}),
    parallelism: spec.parallelism ?? 1,
    backoffLimit: spec.backoffLimit ?? (spec.backoffLimitPerIndex === undefined ? defaultBackoffLimit : maxInt32),
    template: withTemplateDefaults(spec.template),
    completionMode: spec.completionMode ?? 'NonIndexed',
    suspend: spec.suspend ?? false,
    manualSelector: spec.manualSelector ?? false,
    podReplacementPolicy: spec.podReplacementPolicy ?? (withPolicy === undefined ? 'TerminatingOrFailed' : 'Failed'),
    ...(withPolicy === undefined ? {} : { podFailurePolicy: withConditionStatus(withPolicy) }),
  }
}

function withConditionStatus({ rules }: PodFailurePolicy): PodFailurePolicy {
  return {
    rules:
      rules?.map((rule) =>
        rule.onPodConditions === undefined
          ? rule
          : {
              ...rule,
              onPodConditions: rule.onPodConditions.map((each) => ({ ...each, status: each.status || 'True' })),
            },
      ) ?? null,
  }
}
