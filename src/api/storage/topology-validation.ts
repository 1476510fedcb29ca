import { checkQualifiedName } from '../core/field-checks.ts'
import { labelDeprecation } from '../core/nodes/node-label-warnings.ts'
import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, requiredField } from '../field-error.ts'
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../types/core-v1.ts'

/** Where volumes of a class may be. Terms must be distinct and not empty. */
export function validateTopologies(field: string, terms: readonly TopologySelectorTerm[]): readonly FieldError[] {
  const isTaken = repeated(terms.map(meaningOf))
  return terms.flatMap((term, index) => {
    const list = `${field}[${index}].matchLabelExpressions`
    const isEmpty = (term.matchLabelExpressions ?? []).length === 0
    return [...validateTerm(list, term), ...(isEmpty || isTaken[index] ? [duplicateField(list, '')] : [])]
  })
}

export function topologyWarnings(field: string, terms: readonly TopologySelectorTerm[]): readonly string[] {
  return terms.flatMap(({ matchLabelExpressions = [] }, index) =>
    matchLabelExpressions.flatMap(({ key }, at) => {
      const text = labelDeprecation(key)
      return text === undefined ? [] : [`${field}[${index}].matchLabelExpressions[${at}].key: ${text}`]
    }),
  )
}

function validateTerm(list: string, { matchLabelExpressions = [] }: TopologySelectorTerm): readonly FieldError[] {
  const isTaken = repeated(matchLabelExpressions.map(({ key }) => key))
  return matchLabelExpressions.flatMap((requirement, index) => [
    ...validateRequirement(`${list}[${index}]`, requirement),
    ...(isTaken[index] ? [duplicateField(`${list}[${index}].key`, requirement.key)] : []),
  ])
}

function validateRequirement(field: string, requirement: TopologySelectorLabelRequirement): readonly FieldError[] {
  const { key } = requirement
  const values = requirement.values ?? []
  const isTaken = repeated(values)
  return [
    ...(values.length === 0 ? [requiredField(`${field}.values`)] : []),
    ...values.flatMap((value, index) => (isTaken[index] ? [duplicateField(`${field}.values[${index}]`, value)] : [])),
    ...checkQualifiedName(`${field}.key`, key),
  ]
}

/** Equal for terms that select the same: of requirements with the same key, the last one counts. */
function meaningOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const byKey = new Map(matchLabelExpressions.map(({ key, values }) => [key, [...new Set(values ?? [])].sort()]))
  return JSON.stringify([...byKey].sort(([left], [right]) => (left < right ? -1 : 1)))
}
