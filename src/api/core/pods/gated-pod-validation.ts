import { deepEqual } from '../../../base/equal.ts'
import { allErrors, type FieldError, invalidField, invalidFieldAs } from '../../field-error.ts'
import { goStringMap } from '../../human/go-syntax.ts'
import type { NodeAffinity, NodeSelectorTerm, PodSpec } from '../../types/core-v1.ts'

/** The scheduling of a pod that waits for its gates may still be narrowed. */
export function validateGatedChange(after: PodSpec, before: PodSpec): readonly FieldError[] {
  if (!isGated(before)) return []
  return allErrors(validateSelector(after, before), validateAffinity(after, before))
}

/** The spec without the fields that such a pod may change. */
export function ungatedSpec(spec: PodSpec, before: PodSpec): PodSpec {
  if (!isGated(before)) return spec
  const { nodeSelector: _, affinity, ...rest } = spec
  const { nodeAffinity: __, ...others } = affinity ?? {}
  return Object.keys(others).length === 0 ? rest : { ...rest, affinity: others }
}

function isGated({ schedulingGates = [] }: PodSpec): boolean {
  return schedulingGates.length > 0
}

function validateSelector({ nodeSelector: after }: PodSpec, { nodeSelector: before = {} }: PodSpec) {
  if (Object.entries(before).every(([key, value]) => after?.[key] === value)) return []
  const problem = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
  return [invalidFieldAs('spec.nodeSelector', goStringMap(after), problem)]
}

function validateAffinity(after: PodSpec, before: PodSpec): readonly FieldError[] {
  const list = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
  const [now, old] = [termsOf(after.affinity?.nodeAffinity), termsOf(before.affinity?.nodeAffinity)]
  if (old.length === 0) return []
  if (now.length !== old.length) {
    return [invalidField(list, now, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')]
  }
  return now.flatMap((term, index) =>
    onlyAdds(term, old[index] ?? {})
      ? []
      : [invalidField(`${list}[${index}]`, term, 'only additions are allowed (no mutations or deletions)')],
  )
}

function termsOf(affinity: NodeAffinity | undefined): readonly NodeSelectorTerm[] {
  return affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
}

/** A term that selects nothing must not begin to select. */
function onlyAdds(after: NodeSelectorTerm, before: NodeSelectorTerm): boolean {
  const { matchExpressions: expressions = [], matchFields: fields = [] } = before
  const { matchExpressions: newExpressions = [], matchFields: newFields = [] } = after
  if (expressions.length + fields.length === 0) return newExpressions.length + newFields.length === 0
  return (
    deepEqual(newExpressions.slice(0, expressions.length), expressions) &&
    deepEqual(newFields.slice(0, fields.length), fields)
  )
}
