import { type Members, objectsAt, textAt, textMapAt, textsAt } from '../member.ts'

type Labels = ReadonlyMap<string, string>

/** Whether labels satisfy a LabelSelector as objects carry it. An empty selector is satisfied by all labels. */
export function selectorMatches(selector: Members, labels: Labels): boolean {
  for (const [key, value] of textMapAt(selector, 'matchLabels')) {
    if (labels.get(key) !== value) return false
  }
  return objectsAt(selector, 'matchExpressions').every((each) => expressionMatches(each, labels))
}

/** An operator that nobody knows is satisfied by nothing. */
function expressionMatches(expression: Members, labels: Labels): boolean {
  const value = labels.get(textAt(expression, 'key'))
  switch (textAt(expression, 'operator')) {
    case 'In':
      return value !== undefined && textsAt(expression, 'values').includes(value)
    case 'NotIn':
      return value === undefined || !textsAt(expression, 'values').includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}
