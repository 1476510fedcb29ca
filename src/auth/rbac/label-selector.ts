import { type LabelSelector, noLabel } from '../../api/selectors/label-selector.ts'
import {
  type LabelSelectorExpression,
  labelSelectorFrom,
  validateLabelSelector,
} from '../../api/selectors/label-selector-object.ts'
import { objectsAt, textAt, textMapAt, textsAt, type UnknownMembers } from '../member.ts'

/** A selector of an object. An invalid one, which should never have been stored, selects nothing. */
export function selectorOf(selector: UnknownMembers): LabelSelector {
  const object = {
    matchLabels: textMapAt(selector, 'matchLabels'),
    matchExpressions: objectsAt(selector, 'matchExpressions').map(expressionOf),
  }
  return validateLabelSelector('', object).length === 0 ? labelSelectorFrom(object) : noLabel
}

function expressionOf(expression: UnknownMembers): LabelSelectorExpression {
  return {
    key: textAt(expression, 'key'),
    operator: textAt(expression, 'operator'),
    values: textsAt(expression, 'values'),
  }
}
