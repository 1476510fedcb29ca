import { type FieldError, forbiddenField, invalidField, requiredField } from '../../field-error.ts'
import { checkedPattern, type SchemaEffort } from '../schema-effort.ts'
import { extension, isSet, namedNodesAt, nodeAt, type SchemaNode, schemaText } from '../schema-node.ts'
import { completenessErrors, conditionErrors, conditionsOf, withoutIntOrStringForm } from './check-conditions.ts'
import { resourceErrors } from './check-resource.ts'

/** The place of a node determines whether it must have a type. */
type Place = 'root' | 'field' | 'item' | 'condition'

interface Found {
  readonly errors: FieldError[]
  readonly effort: SchemaEffort
}

/** Why a schema is not structural, ordered by path. */
export function structuralErrors(schema: SchemaNode, path: string, effort: SchemaEffort): readonly FieldError[] {
  const found: Found = { errors: [], effort }
  checkNode(schema, path, 'root', found)
  const told = [...found.errors, ...completenessErrors(schema, path)].map(
    (error) => [`${error.field}: ${error.message}`, error] as const,
  )
  return told.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)).map(([, error]) => error)
}

function checkNode(node: SchemaNode, path: string, place: Place, found: Found): void {
  checkPatternOf(node, path, found)
  checkInner(node, path, place, found)
  for (const condition of conditionsOf(withoutIntOrStringForm(node), path)) {
    checkNode(condition.node, condition.path, 'condition', found)
  }
  const { errors } = found
  if (place === 'condition') {
    errors.push(...conditionErrors(node, path))
    return
  }
  errors.push(...itemsErrors(node, path), ...extensionErrors(node, path), ...typeErrors(node, path, place))
  errors.push(...resourceErrors(node, path, place === 'root'))
}

function checkInner(node: SchemaNode, path: string, place: Place, found: Found): void {
  const inside = (own: Place) => (place === 'condition' ? 'condition' : own)
  for (const [name, each] of namedNodesAt(node, 'properties')) {
    checkNode(each, `${path}.properties[${name}]`, inside('field'), found)
  }
  const items = nodeAt(node, 'items')
  if (items !== undefined) checkNode(items, `${path}.items`, inside('item'), found)
  const additional = place === 'condition' ? undefined : nodeAt(node, 'additionalProperties')
  if (additional !== undefined) checkNode(additional, `${path}.additionalProperties`, 'field', found)
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

function itemsErrors(node: SchemaNode, path: string): readonly FieldError[] {
  if (schemaText(node, 'type') !== 'array' || nodeAt(node, 'items') !== undefined) return []
  return [requiredField(`${path}.items`, 'must be specified')]
}

/** An int-or-string can be neither an object nor untyped. */
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
