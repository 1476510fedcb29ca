import type { ObjectMeta } from '../../api/object.ts'
import type { LabelRequirement } from '../../api/selectors/label-requirement.ts'
import { type LabelSelector, labelSelectorOf, noLabel } from '../../api/selectors/label-selector.ts'
import { type LabelSelectorObject, labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '../../api/types/core-v1.ts'
import type { PodTerm, SpreadRule } from './contract.ts'

export function affinityTerms({ affinity }: PodSpec, metadata: ObjectMeta): readonly PodTerm[] {
  return termsOf(affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution, metadata)
}

export function antiAffinityTerms({ affinity }: PodSpec, metadata: ObjectMeta): readonly PodTerm[] {
  return termsOf(affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution, metadata)
}

export function spreadRules({ topologySpreadConstraints = [] }: PodSpec, metadata: ObjectMeta): readonly SpreadRule[] {
  return topologySpreadConstraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map((constraint) => spreadRule(constraint, metadata))
}

function spreadRule(constraint: TopologySpreadConstraint, metadata: ObjectMeta): SpreadRule {
  const { topologyKey, maxSkew, minDomains = 1, labelSelector, matchLabelKeys } = constraint
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint
  return {
    term: termOf(
      { topologyKey, ...(labelSelector && { labelSelector }), ...(matchLabelKeys && { matchLabelKeys }) },
      metadata,
    ),
    maxSkew,
    minDomains,
    honorsAffinity: nodeAffinityPolicy === 'Honor',
    honorsTaints: nodeTaintsPolicy === 'Honor',
  }
}

function termsOf(terms: readonly PodAffinityTerm[] = [], metadata: ObjectMeta): readonly PodTerm[] {
  return terms.map((term) => termOf(term, metadata))
}

/** Without namespaces, a term is about those of the Pod's own. */
function termOf(term: PodAffinityTerm, { namespace = '', labels = {} }: ObjectMeta): PodTerm {
  const { topologyKey, labelSelector, namespaces = [], namespaceSelector } = term
  const isAboutOwn = namespaces.length === 0 && namespaceSelector === undefined
  const { matchLabelKeys = [], mismatchLabelKeys = [] } = term
  const added = [...sameValues(matchLabelKeys, labels, 'in'), ...sameValues(mismatchLabelKeys, labels, 'notin')]
  const named = isAboutOwn ? [namespace] : namespaces
  return {
    id: JSON.stringify([topologyKey, labelSelector, named, namespaceSelector, added.map(textOf)]),
    topologyKey,
    selector: narrowed(labelSelector as LabelSelectorObject | undefined, added),
    namespaces: new Set(named),
    namespaceSelector:
      namespaceSelector === undefined ? undefined : labelSelectorFrom(namespaceSelector as LabelSelectorObject),
  }
}

function narrowed(object: LabelSelectorObject | undefined, added: readonly LabelRequirement[]): LabelSelector {
  const selector = labelSelectorFrom(object)
  return selector === noLabel ? noLabel : labelSelectorOf([...selector.requirements, ...added])
}

/** Keys that the Pod has no label for are ignored. */
function sameValues(
  keys: readonly string[],
  labels: Readonly<Record<string, string>>,
  operator: 'in' | 'notin',
): readonly LabelRequirement[] {
  return keys.flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined
    return value === undefined ? [] : [{ key, operator, values: new Set([value]) }]
  })
}

function textOf({ key, operator, values }: LabelRequirement): string {
  return `${key} ${operator} ${[...values].join()}`
}
