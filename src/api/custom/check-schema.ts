import { isJsonObject } from '../../base/json/member.ts'
import { type FieldError, forbiddenField, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { ruleErrors } from './check-rules.ts'
import { compileStructure } from './compile.ts'
import { completed } from './complete.ts'
import { checkPattern } from './pattern.ts'
import {
  extension,
  isSet,
  memberAt,
  namedNodesAt,
  nodeAt,
  nodesAt,
  type SchemaNode,
  textAt,
  textsAt,
} from './schema-node.ts'
import { structureTypes } from './structure.ts'
import { validateValue } from './validate.ts'

/** Where a node stands decides whether it has to say its type. */
type Place = 'root' | 'field' | 'item' | 'condition'

/** Steps of all patterns of one schema, which are compiled to be checked. */
const mostPatternSize = 100_000

interface Found {
  readonly errors: FieldError[]
  patternSize: number
  depth: number
}

/** Of schemas inside schemas; those of Pods, in which much can be nested, are not a quarter as deep. */
const mostDepth = 100

/** What keeps a schema from being structural, or from being a schema at all. `path` is where it stands in its definition. */
export function schemaErrors(schema: SchemaNode, path: string): readonly FieldError[] {
  const found: Found = { errors: [], patternSize: 0, depth: 0 }
  checkNode(schema, path, 'root', found)
  return found.errors
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
  if (textAt(node, '$ref') !== '') {
    errors.push(forbiddenField(`${path}.$ref`, '$ref is not supported'))
    return
  }
  checkKeywords(node, path, found)
  checkPatternOf(node, path, found)
  errors.push(...listErrors(node, path), ...mapErrors(node, path), ...ruleErrors(node, path))
  if (place === 'condition') errors.push(...conditionErrors(node, path))
  checkInner(node, path, place, found)
  checkConditions(node, path, found)
  errors.push(...typeErrors(node, path, place))
  if (place === 'root') errors.push(...metadataErrors(node, path))
  if (errors.length === 0 && place !== 'condition') errors.push(...defaultErrors(node, path))
}

const unsupported = ['definitions', 'dependencies', 'patternProperties', 'additionalItems', 'id'] as const

function checkKeywords(node: SchemaNode, path: string, { errors }: Found): void {
  const type = textAt(node, 'type')
  if (type !== '' && !structureTypes.some((each) => each === type)) {
    errors.push(notSupportedField(`${path}.type`, type, structureTypes))
  }
  for (const name of unsupported) {
    if (memberAt(node, name) !== undefined) errors.push(forbiddenField(`${path}.${name}`, `${name} is not supported`))
  }
  if (isSet(node, 'uniqueItems')) {
    const reason = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(forbiddenField(`${path}.uniqueItems`, reason))
  }
  if (Array.isArray(memberAt(node, 'items'))) {
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'))
  }
  if (isJsonObject(memberAt(node, 'additionalProperties')) && nodeAt(node, 'properties') !== undefined) {
    errors.push(
      forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    )
  }
}

function checkPatternOf(node: SchemaNode, path: string, found: Found): void {
  const pattern = textAt(node, 'pattern')
  if (pattern === '') return
  if (found.patternSize > mostPatternSize) {
    found.errors.push(forbiddenField(`${path}.pattern`, 'the patterns of this schema are too many or too large'))
    return
  }
  const checked = checkPattern(pattern)
  if ('size' in checked) {
    found.patternSize += checked.size
  } else {
    const detail = `must be a valid regular expression, but isn't: ${checked.problem}`
    found.errors.push(invalidField(`${path}.pattern`, pattern, detail))
  }
}

const listTypes = ['atomic', 'map', 'set']

function listErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const listType = memberAt(node, extension.listType)
  const keys = textsAt(node, extension.listMapKeys)
  const items = nodeAt(node, 'items')
  if (listType === undefined) {
    return keys.length === 0
      ? []
      : [requiredField(`${path}.${extension.listType}`, 'must be map if x-kubernetes-list-map-keys is non-empty')]
  }
  if (typeof listType !== 'string' || !listTypes.includes(listType)) {
    return [notSupportedField(`${path}.${extension.listType}`, listType, listTypes)]
  }
  if (textAt(node, 'type') !== 'array') {
    return [invalidField(`${path}.type`, textAt(node, 'type'), `must be array if ${extension.listType} is specified`)]
  }
  if (listType === 'set') return setErrors(items, `${path}.items`)
  return listType === 'map' ? listMapErrors(items, keys, path) : []
}

function setErrors(items: SchemaNode | undefined, path: string): readonly FieldError[] {
  if (items === undefined) return [requiredField(path, `must have a schema if ${extension.listType} is set`)]
  const detail = 'as item of a list with x-kubernetes-list-type=set'
  if (textAt(items, 'type') === 'object' && textAt(items, extension.mapType) !== 'atomic') {
    return [
      invalidField(`${path}.${extension.mapType}`, memberAt(items, extension.mapType), `must be atomic ${detail}`),
    ]
  }
  if (textAt(items, 'type') === 'array' && !['', 'atomic'].includes(textAt(items, extension.listType))) {
    return [
      invalidField(`${path}.${extension.listType}`, memberAt(items, extension.listType), `must be atomic ${detail}`),
    ]
  }
  return isSet(items, 'nullable')
    ? [forbiddenField(`${path}.nullable`, 'cannot be nullable when x-kubernetes-list-type is set')]
    : []
}

function listMapErrors(items: SchemaNode | undefined, keys: readonly string[], path: string): readonly FieldError[] {
  if (items === undefined) return [requiredField(`${path}.items`, `must have a schema if ${extension.listType} is map`)]
  if (textAt(items, 'type') !== 'object') {
    return [
      invalidField(
        `${path}.items.type`,
        textAt(items, 'type'),
        `must be object if parent array's ${extension.listType} is map`,
      ),
    ]
  }
  if (keys.length === 0) {
    return [requiredField(`${path}.${extension.listMapKeys}`, `must not be empty if ${extension.listType} is map`)]
  }
  return keys.flatMap((key, index) => keyErrors(items, key, `${path}.${extension.listMapKeys}[${index}]`, path))
}

function keyErrors(items: SchemaNode, key: string, keyPath: string, path: string): readonly FieldError[] {
  const property = nodeAt(nodeAt(items, 'properties') ?? {}, key)
  if (property === undefined) return [invalidField(keyPath, key, 'entries must all be names of item properties')]
  const propertyPath = `${path}.items.properties[${key}]`
  const type = textAt(property, 'type')
  if (type === 'array' || type === 'object') {
    return [
      invalidField(
        `${propertyPath}.type`,
        type,
        `must be a scalar type if parent array's ${extension.listType} is map`,
      ),
    ]
  }
  if (memberAt(property, 'default') !== undefined || textsAt(items, 'required').includes(key)) return []
  const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
  return [requiredField(`${propertyPath}.default`, detail)]
}

const mapTypes = ['atomic', 'granular']

function mapErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const mapType = memberAt(node, extension.mapType)
  if (mapType === undefined) return []
  if (typeof mapType !== 'string' || !mapTypes.includes(mapType)) {
    return [notSupportedField(`${path}.${extension.mapType}`, mapType, mapTypes)]
  }
  if (textAt(node, 'type') === 'object') return []
  return [invalidField(`${path}.type`, textAt(node, 'type'), `must be object if ${extension.mapType} is specified`)]
}

/** A condition restricts a value that is described elsewhere, and describes nothing itself. */
function conditionErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const set = (name: string) => memberAt(node, name) !== undefined
  return [
    ...(set('additionalProperties') ? [structural(`${path}.additionalProperties`, 'undefined')] : []),
    ...(textAt(node, 'type') !== '' ? [structural(`${path}.type`, 'empty')] : []),
    ...(textAt(node, 'title') !== '' ? [structural(`${path}.title`, 'empty')] : []),
    ...(textAt(node, 'description') !== '' ? [structural(`${path}.description`, 'empty')] : []),
    ...(set('default') ? [structural(`${path}.default`, 'undefined')] : []),
    ...(isSet(node, 'nullable') ? [structural(`${path}.nullable`, 'false')] : []),
    ...(set(extension.preserveUnknownFields)
      ? [structural(`${path}.${extension.preserveUnknownFields}`, 'false')]
      : []),
    ...(set(extension.embeddedResource) ? [structural(`${path}.${extension.embeddedResource}`, 'false')] : []),
    ...(set(extension.intOrString) ? [structural(`${path}.${extension.intOrString}`, 'false')] : []),
  ]
}

function structural(field: string, wanted: string): FieldError {
  return forbiddenField(field, `must be ${wanted} to be structural`)
}

function checkInner(node: SchemaNode, path: string, place: Place, found: Found): void {
  const inside = (own: Place) => (place === 'condition' ? 'condition' : own)
  for (const [name, each] of namedNodesAt(node, 'properties')) {
    if (place === 'root' && name === 'metadata') continue
    checkNode(each, `${path}.properties[${name}]`, inside('field'), found)
  }
  const additional = nodeAt(node, 'additionalProperties')
  if (additional !== undefined) checkNode(additional, `${path}.additionalProperties`, inside('field'), found)
  const items = nodeAt(node, 'items')
  if (items !== undefined) checkNode(items, `${path}.items`, inside('item'), found)
}

/** `anyOf` with one schema for numbers and one for texts is how an int-or-string may be written. */
function checkConditions(node: SchemaNode, path: string, found: Found): void {
  const isExempt = isSet(node, extension.intOrString)
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (isExempt && isIntOrStringForm(nodesAt(node, name))) continue
    nodesAt(node, name).forEach((each, index) => {
      checkNode(each, `${path}.${name}[${index}]`, 'condition', found)
    })
  }
  const not = nodeAt(node, 'not')
  if (not !== undefined) checkNode(not, `${path}.not`, 'condition', found)
}

function isIntOrStringForm(nodes: readonly SchemaNode[]): boolean {
  const choices = nodes.length === 1 ? nodesAt(nodes[0] ?? {}, 'anyOf') : nodes
  return (
    choices.length === 2 &&
    textAt(choices[0] ?? {}, 'type') === 'integer' &&
    textAt(choices[1] ?? {}, 'type') === 'string'
  )
}

const emptyType: Readonly<Record<Exclude<Place, 'condition'>, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
}

function typeErrors(node: SchemaNode, path: string, place: Place): readonly FieldError[] {
  if (place === 'condition') return []
  const type = textAt(node, 'type')
  if (place === 'root' && type !== '' && type !== 'object') {
    return [invalidField(`${path}.type`, type, 'must be object at the root')]
  }
  const isFree = isSet(node, extension.intOrString) || isSet(node, extension.preserveUnknownFields)
  if (type !== '' || (isFree && place !== 'root')) return []
  return [requiredField(`${path}.type`, emptyType[place])]
}

const restrictable = ['name', 'generateName']

/** The server knows what metadata is; a schema may restrict names only. */
function metadataErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const metadata = nodeAt(nodeAt(node, 'properties') ?? {}, 'metadata')
  if (metadata === undefined) return []
  const members = Object.keys(metadata).every((name) => ['type', 'properties', 'description'].includes(name))
  const names = Object.keys(nodeAt(metadata, 'properties') ?? {}).every((name) => restrictable.includes(name))
  if (members && names) return []
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
  return [forbiddenField(`${path}.properties[metadata]`, detail)]
}

/** A default must be what the schema would accept, with nothing that would be pruned. */
function defaultErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const fallback = memberAt(node, 'default')
  if (fallback === undefined) return []
  const { default: _, ...rest } = node
  const structure = compileStructure(rest)
  const { value, unknownFields } = completed(structure, fallback)
  if (unknownFields.length > 0) return [invalidField(`${path}.default`, fallback, 'must not have unknown fields')]
  return validateValue(structure, value).map((error) => ({ ...error, field: `${path}.default${below(error.field)}` }))
}

function below(field: string): string {
  return field === '<nil>' || field === '' ? '' : `.${field}`
}
