import type { NodeSelectorTerm } from '../../types/core-v1.ts'
import type { LabelSelector } from '../../types/meta-v1.ts'

const deprecations: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
])

/** The deprecation message for a node label that has a new name. */
export function labelDeprecation(label: string): string | undefined {
  return deprecations.get(label)
}

export function termWarnings(field: string, { matchExpressions = [] }: NodeSelectorTerm): readonly string[] {
  return expressionWarnings(field, matchExpressions)
}

export function nodeSelectorWarnings(field: string, selector: LabelSelector): readonly string[] {
  const { matchExpressions = [], matchLabels = {} } = selector
  return [
    ...expressionWarnings(field, matchExpressions),
    ...Object.keys(matchLabels).flatMap((label) => {
      const text = labelDeprecation(label)
      return text === undefined ? [] : [`${field}.matchLabels.${label}: ${text}`]
    }),
  ]
}

function expressionWarnings(field: string, expressions: readonly { readonly key: string }[]): readonly string[] {
  return expressions.flatMap(({ key }, index) => {
    const text = labelDeprecation(key)
    return text === undefined ? [] : [`${field}.matchExpressions[${index}].key: ${key} is ${text}`]
  })
}
