import {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  requirementHolds,
} from '../../api/selectors/label-requirement.ts'
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../api/types/core-v1.ts'

/** The facts about a node that a Pod may require. */
export interface AskedNode {
  readonly name: string
  readonly labels: Labels
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
  ['Gt', '>'],
  ['Lt', '<'],
])

export type NodeAsker = (node: AskedNode) => boolean

/** Matches the Pod's nodeSelector and its required node affinity. Created once, and then called for each node. */
export function nodeAsker({ nodeSelector = {}, affinity }: Pick<PodSpec, 'nodeSelector' | 'affinity'>): NodeAsker {
  const wanted = Object.entries(nodeSelector)
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const terms = required && (required.nodeSelectorTerms ?? []).map(termAsker)
  return (node) =>
    wanted.every(([key, value]) => isLabeled(node.labels, key, value)) &&
    (terms === undefined || terms.some((matches) => matches(node)))
}

function isLabeled(labels: Labels, key: string, value: string): boolean {
  return Object.hasOwn(labels, key) && labels[key] === value
}

/** A term without conditions, or with an unknown operator, matches no node. */
function termAsker({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodeAsker {
  if (matchExpressions.length + matchFields.length === 0) return () => false
  const expressions = matchExpressions.map(requirementFrom)
  const fields = matchFields.map(requirementFrom)
  return ({ name, labels }) =>
    expressions.every((each) => each !== undefined && requirementHolds(each, labels)) &&
    fields.every((each) => each !== undefined && requirementHolds(each, { 'metadata.name': name }))
}

function requirementFrom({ key, operator, values }: NodeSelectorRequirement): LabelRequirement | undefined {
  const known = operators.get(operator)
  return known && { key, operator: known, values: new Set(values) }
}
