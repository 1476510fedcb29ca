import { isJsonObject } from '../../base/json/member.ts'
import { type FieldError, notSupportedField, requiredField } from '../field-error.ts'
import { extension, type SchemaNode, schemaMember, schemaText } from './schema-node.ts'

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

/** What can be said of validation rules without reading their expressions, which are kept and not evaluated yet. */
export function ruleErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const rules = schemaMember(node, extension.validations)
  if (!Array.isArray(rules)) return []
  return rules.flatMap((rule, index) =>
    isJsonObject(rule) ? oneRuleErrors(rule, `${path}.${extension.validations}[${index}]`) : [],
  )
}

function oneRuleErrors(rule: SchemaNode, path: string): readonly FieldError[] {
  const reason = schemaMember(rule, 'reason')
  return [
    ...(schemaText(rule, 'rule').trim() === '' ? [requiredField(`${path}.rule`, 'rule is not specified')] : []),
    ...(reason !== undefined && !reasons.includes(String(reason))
      ? [notSupportedField(`${path}.reason`, reason, reasons)]
      : []),
  ]
}

/** Whether anything in a schema, however deep, is a rule. */
export function hasRules(schema: unknown): boolean {
  const waiting: unknown[] = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...next)
    else if (isJsonObject(next)) {
      if (Array.isArray(next[extension.validations])) return true
      waiting.push(...Object.values(next).filter((each) => typeof each === 'object' && each !== null))
    }
  }
  return false
}
