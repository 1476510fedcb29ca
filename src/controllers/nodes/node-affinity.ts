import { type LabelOperator, type Labels, requirementHolds } from '../../api/selectors/label-requirement.ts'
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../api/types/core-v1.ts'

/** What a Pod may ask of a node. */
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

/** By the Pod's nodeSelector, and by the node affinity that it requires. */
export function isNodeAskedFor(
  { nodeSelector = {}, affinity }: Pick<PodSpec, 'nodeSelector' | 'affinity'>,
  node: AskedNode,
): boolean {
  if (!Object.entries(nodeSelector).every(([key, value]) => isLabeled(node.labels, key, value))) return false
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return required === undefined || (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node))
}

function isLabeled(labels: Labels, key: string, value: string): boolean {
  return Object.hasOwn(labels, key) && labels[key] === value
}

/** A term without conditions matches no node. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: AskedNode): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false
  const fields = { 'metadata.name': node.name }
  return (
    matchExpressions.every((requirement) => isMet(requirement, node.labels)) &&
    matchFields.every((requirement) => isMet(requirement, fields))
  )
}

function isMet({ key, operator, values }: NodeSelectorRequirement, labels: Labels): boolean {
  const known = operators.get(operator)
  return known !== undefined && requirementHolds({ key, operator: known, values: new Set(values) }, labels)
}
