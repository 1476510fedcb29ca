import { asMembers } from '../../../base/json/lenient.ts'
import { extension, type SchemaNode, schemaMember, schemaText } from '../schema-node.ts'
import type { ValidationRule } from './validation-rule.ts'

const noRules: readonly ValidationRule[] = []

export function validationRulesOf(node: SchemaNode): readonly ValidationRule[] {
  const rules = schemaMember(node, extension.validations)
  return Array.isArray(rules) ? rules.map((each) => ruleOf(asMembers(each))) : noRules
}

function ruleOf(node: SchemaNode): ValidationRule {
  const optionalOldSelf = schemaMember(node, 'optionalOldSelf')
  return {
    rule: schemaText(node, 'rule'),
    message: schemaText(node, 'message'),
    messageExpression: schemaText(node, 'messageExpression'),
    reason: schemaText(node, 'reason'),
    fieldPath: schemaText(node, 'fieldPath'),
    ...(typeof optionalOldSelf === 'boolean' && { optionalOldSelf }),
  }
}
