import { isJsonObject } from '../../base/json/member.ts'
import { type FieldError, forbiddenField, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { listSchemaErrors, mapErrors } from './check-collections.ts'
import { completenessErrors, conditionErrors, conditionsOf, withoutIntOrStringForm } from './check-conditions.ts'
import { resourceErrors } from './check-resource.ts'
import { compileStructure } from './compile.ts'
import { completed } from './prune-and-default.ts'
import { expressionErrors } from './rules/check-expressions.ts'
import { ruleErrors } from './rules/check-rules.ts'
import { checkedPattern, type SchemaEffort, schemaEffort } from './schema-effort.ts'
import { extension, isSet, namedNodesAt, nodeAt, type SchemaNode, schemaMember, schemaText } from './schema-node.ts'
import { structureTypes } from './structure.ts'
import { validateValue } from './validate.ts'

/** Where a node stands decides whether it has to say its type. */
type Place = 'root' | 'field' | 'item' | 'condition'

interface Found {
  readonly errors: FieldError[]
  readonly effort: SchemaEffort
  depth: number
}

/** Of schemas inside schemas; those of Pods, in which much can be nested, are not a quarter as deep. */
const mostDepth = 100

/** What keeps a schema from being structural, or from being a schema at all. `path` is where it stands in its definition. */
export function schemaErrors(schema: SchemaNode, path: string, effort = schemaEffort()): readonly FieldError[] {
  const found: Found = { errors: [], effort, depth: 0 }
  checkNode(schema, path, 'root', found)
  const errors = found.errors.length > 0 ? found.errors : completenessErrors(schema, path)
  if (errors.length > 0) return errors
  return expressionErrors(compileStructure(schema, effort.compiled), schema, path, effort.expressions)
}

function checkNode(node: SchemaNode, path: string, place: Place, found: Found): void {
  if (found.depth === mostDepth) {
    found.errors.push(forbiddenField(path, `schemas may be nested at most ${mostDepth} deep`))
    return
  }
  found.depth += 1
  checkWithin(node, path, place, found)
  found.depth -= 1
}

function checkWithin(node: SchemaNode, path: string, place: Place, found: Found): void {
  const { errors } = found
  if (schemaText(node, '$ref') !== '') {
    errors.push(forbiddenField(`${path}.$ref`, '$ref is not supported'))
    return
  }
  checkKeywords(node, path, found)
  checkPatternOf(node, path, found)
  errors.push(
    ...listSchemaErrors(node, path),
    ...mapErrors(node, path),
    ...ruleErrors(node, path, found.effort.compiled),
  )
  if (place === 'condition') errors.push(...conditionErrors(node, path))
  checkInner(node, path, place, found)
  for (const condition of conditionsOf(withoutIntOrStringForm(node), path)) {
    checkNode(condition.node, condition.path, 'condition', found)
  }
  if (place === 'condition') return
  errors.push(...extensionErrors(node, path), ...typeErrors(node, path, place))
  errors.push(...resourceErrors(node, path, place === 'root'))
  if (errors.length === 0) errors.push(...defaultErrors(node, path, found.effort))
}

const unsupported = ['definitions', 'dependencies', 'patternProperties', 'additionalItems', 'id'] as const

function checkKeywords(node: SchemaNode, path: string, { errors }: Found): void {
  const type = schemaText(node, 'type')
  if (type !== '' && !structureTypes.some((each) => each === type)) {
    errors.push(notSupportedField(`${path}.type`, type, structureTypes))
  }
  for (const name of unsupported) {
    if (schemaMember(node, name) !== undefined)
      errors.push(forbiddenField(`${path}.${name}`, `${name} is not supported`))
  }
  if (isSet(node, 'uniqueItems')) {
    const reason = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(forbiddenField(`${path}.uniqueItems`, reason))
  }
  if (Array.isArray(schemaMember(node, 'items'))) {
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'))
  }
  if (type === 'array' && schemaMember(node, 'items') === undefined) {
    errors.push(requiredField(`${path}.items`, 'must be specified'))
  }
  const additional = schemaMember(node, 'additionalProperties')
  if ((isJsonObject(additional) || additional === false) && namedNodesAt(node, 'properties').length > 0) {
    const reason = 'additionalProperties and properties are mutual exclusive'
    errors.push(forbiddenField(`${path}.additionalProperties`, reason))
  }
}

function checkPatternOf(node: SchemaNode, path: string, { errors, effort }: Found): void {
  const pattern = schemaText(node, 'pattern')
  if (pattern === '') return
  const checked = checkedPattern(pattern, effort)
  if (checked === 'too much') {
    errors.push(forbiddenField(`${path}.pattern`, 'the patterns of this definition are too many or too large'))
  } else if ('problem' in checked) {
    const detail = `must be a valid regular expression, but isn't: ${checked.problem}`
    errors.push(invalidField(`${path}.pattern`, pattern, detail))
  }
}

function checkInner(node: SchemaNode, path: string, place: Place, found: Found): void {
  const inside = (own: Place) => (place === 'condition' ? 'condition' : own)
  for (const [name, each] of namedNodesAt(node, 'properties')) {
    checkNode(each, `${path}.properties[${name}]`, inside('field'), found)
  }
  const additional = nodeAt(node, 'additionalProperties')
  if (additional !== undefined) checkNode(additional, `${path}.additionalProperties`, inside('field'), found)
  const items = nodeAt(node, 'items')
  if (items !== undefined) checkNode(items, `${path}.items`, inside('item'), found)
}

/** Both a number and a text are neither an object nor anything at all. */
function extensionErrors(node: SchemaNode, path: string): readonly FieldError[] {
  if (!isSet(node, extension.intOrString)) return []
  return [extension.preserveUnknownFields, extension.embeddedResource]
    .filter((name) => isSet(node, name))
    .map((name) => invalidField(`${path}.${name}`, true, `must be false if ${extension.intOrString} is true`))
}

const emptyType: Readonly<Record<Exclude<Place, 'condition'>, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
}

function typeErrors(node: SchemaNode, path: string, place: Exclude<Place, 'condition'>): readonly FieldError[] {
  const isFree = [extension.intOrString, extension.preserveUnknownFields].some((name) => isSet(node, name))
  if (schemaText(node, 'type') !== '' || isFree || isSet(node, extension.embeddedResource)) return []
  return [requiredField(`${path}.type`, emptyType[place])]
}

/** A default must be what the schema would accept, with nothing that would be pruned. */
function defaultErrors(node: SchemaNode, path: string, { compiled, budget }: SchemaEffort): readonly FieldError[] {
  const fallback = schemaMember(node, 'default')
  if (fallback === undefined) return []
  const structure = compileStructure(node, compiled)
  const { value, unknownFields } = completed(structure, fallback)
  if (unknownFields.length > 0) return [invalidField(`${path}.default`, fallback, 'must not have unknown fields')]
  const errors = validateValue(structure, value, undefined, budget)
  return errors.map((error) => ({ ...error, field: `${path}.default${below(error.field)}` }))
}

function below(field: string): string {
  return field === '<nil>' || field === '' ? '' : `.${field}`
}
