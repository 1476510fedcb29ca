import { isJsonObject } from '../../../base/json/member.ts'
import { type FieldError, invalidField, notSupportedField, requiredField } from '../../field-error.ts'
import { type Compiled, compileStructure } from '../compile.ts'
import { extension, type SchemaNode, schemaMember, schemaText } from '../schema-node.ts'
import { ruleFieldPath } from './field-path.ts'

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

/** Checks validation rules without reading their expressions. */
export function ruleErrors(node: SchemaNode, path: string, compiled: Compiled): readonly FieldError[] {
  const rules = schemaMember(node, extension.validations)
  if (!Array.isArray(rules)) return []
  return rules.flatMap((rule, index) => {
    const at = `${path}.${extension.validations}[${index}]`
    return isJsonObject(rule) ? [...oneRuleErrors(rule, at), ...fieldPathErrors(node, rule, at, compiled)] : []
  })
}

function oneRuleErrors(rule: SchemaNode, path: string): readonly FieldError[] {
  const reason = schemaMember(rule, 'reason')
  const messageExpression = schemaText(rule, 'messageExpression')
  return [
    ...messageErrors(rule, path),
    ...(messageExpression !== '' && messageExpression.trim() === ''
      ? [requiredField(`${path}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(reason !== undefined && !reasons.includes(String(reason))
      ? [notSupportedField(`${path}.reason`, reason, reasons)]
      : []),
  ]
}

function messageErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const rule = schemaText(node, 'rule').trim()
  const message = schemaText(node, 'message')
  const field = `${path}.message`
  if (rule === '') return [requiredField(`${path}.rule`, 'rule is not specified')]
  if (message !== '' && message.trim() === '') {
    return [invalidField(field, message, 'message must be non-empty if specified')]
  }
  if (hasLineBreak(message.trim())) return [invalidField(field, message, 'message must not contain line breaks')]
  if (!hasLineBreak(rule) || message !== '') return []
  return [requiredField(field, 'message must be specified if rule contains line breaks')]
}

function fieldPathErrors(node: SchemaNode, rule: SchemaNode, path: string, compiled: Compiled): readonly FieldError[] {
  const text = schemaText(rule, 'fieldPath')
  const field = `${path}.fieldPath`
  if (text === '') return []
  return [
    ...(text.trim() === '' ? [invalidField(field, text, 'fieldPath must be non-empty if specified')] : []),
    ...(hasLineBreak(text) ? [invalidField(field, text, 'fieldPath must not contain line breaks')] : []),
    ...(ruleFieldPath(text, compileStructure(node, compiled)) === undefined
      ? [invalidField(field, text, 'fieldPath must be a valid path')]
      : []),
  ]
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text)
}
