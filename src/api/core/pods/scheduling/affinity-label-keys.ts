import type { PodAffinity, PodAffinityTerm, PodSpec } from '../../../types/core-v1.ts'
import type { LabelSelector } from '../../../types/meta-v1.ts'

type Labels = Readonly<Record<string, string>>

/** Where terms about other pods name label keys, the pod's own values are added to the selectors. */
export function withLabelKeys(spec: PodSpec, labels: Labels): PodSpec {
  const { affinity } = spec
  const { podAffinity, podAntiAffinity } = affinity ?? {}
  if (affinity === undefined || (podAffinity === undefined && podAntiAffinity === undefined)) return spec
  return {
    ...spec,
    affinity: {
      ...affinity,
      ...(podAffinity && { podAffinity: withTerms(podAffinity, labels) }),
      ...(podAntiAffinity && { podAntiAffinity: withTerms(podAntiAffinity, labels) }),
    },
  }
}

function withTerms(affinity: PodAffinity, labels: Labels): PodAffinity {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity
  return {
    ...(required && {
      requiredDuringSchedulingIgnoredDuringExecution: required.map((term) => withKeys(term, labels)),
    }),
    ...(preferred && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((each) => ({
        ...each,
        podAffinityTerm: withKeys(each.podAffinityTerm, labels),
      })),
    }),
  }
}

function withKeys(term: PodAffinityTerm, labels: Labels): PodAffinityTerm {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = term
  if (labelSelector === undefined || matchLabelKeys.length + mismatchLabelKeys.length === 0) return term
  const added = [...expressions(matchLabelKeys, 'In', labels), ...expressions(mismatchLabelKeys, 'NotIn', labels)]
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added]
  return { ...term, labelSelector: { ...labelSelector, ...(matchExpressions.length > 0 && { matchExpressions }) } }
}

/** Keys for which the pod has no label add nothing. */
function expressions(
  keys: readonly string[],
  operator: string,
  labels: Labels,
): NonNullable<LabelSelector['matchExpressions']> {
  return keys.filter((key) => Object.hasOwn(labels, key)).map((key) => ({ key, operator, values: [labels[key] ?? ''] }))
}
