import type { LabelSelectorExpression, LabelSelectorObject } from '../../api/selectors/label-selector-object.ts'

/** A selector as Go prints it, which is what Kubernetes writes into some Events. */
export function goSelectorText(selector: LabelSelectorObject | undefined): string {
  if (selector === undefined) return 'nil'
  const { matchLabels = {}, matchExpressions = [] } = selector
  const labels = Object.entries(matchLabels).toSorted(([left], [right]) => (left < right ? -1 : 1))
  const equalities = labels.map(([key, value]) => `${key}: ${value},`).join('')
  const expressions = matchExpressions.map((each) => `${expressionText(each)},`).join('')
  return `&LabelSelector{MatchLabels:map[string]string{${equalities}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`
}

function expressionText({ key, operator, values = [] }: LabelSelectorExpression): string {
  return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`
}
