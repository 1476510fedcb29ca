import type { ObjectMeta } from '../../api/object.ts'
import type { LabelRequirement } from '../../api/selectors/label-requirement.ts'
import { type LabelSelector, labelSelectorOf, noLabel } from '../../api/selectors/label-selector.ts'
import { type LabelSelectorObject, labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '../../api/types/core-v1.ts'
import type { PlacementRequirements, PodTerm, SpreadRule } from './contract.ts'

/** Each is compared with the labels of other Pods, synchronously. */
export const mostConditions = 500

/** The terms of a Pod about other Pods. If there are too many conditions, none is evaluated. */
export function termsIn(
  { affinity, topologySpreadConstraints = [] }: PodSpec,
  metadata: ObjectMeta,
): Pick<PlacementRequirements, 'affinity' | 'antiAffinity' | 'spread' | 'conditionCount'> {
  const together = affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const apart = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const spread = topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
  const conditionCount = [...together, ...apart, ...spread].reduce((sum, term) => sum + conditionsIn(term), 0)
  if (conditionCount > mostConditions) return { affinity: [], antiAffinity: [], spread: [], conditionCount }
  return {
    affinity: together.map((term) => termOf(term, metadata)),
    antiAffinity: apart.map((term) => termOf(term, metadata)),
    spread: spread.map((constraint) => spreadRule(constraint, metadata)),
    conditionCount,
  }
}

/** A term counts as one even if it selects everything. */
function conditionsIn(term: PodAffinityTerm): number {
  const { labelSelector, namespaceSelector, namespaces = [], matchLabelKeys = [], mismatchLabelKeys = [] } = term
  const named = namespaces.length + matchLabelKeys.length + mismatchLabelKeys.length
  return 1 + named + requirementsIn(labelSelector) + requirementsIn(namespaceSelector)
}

function requirementsIn({ matchLabels = {}, matchExpressions = [] }: PodAffinityTerm['labelSelector'] = {}): number {
  return Object.keys(matchLabels).length + matchExpressions.length
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

/** Without namespaces, a term applies to the Pod's own namespace. */
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

/** Keys for which the Pod has no label are ignored. */
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
