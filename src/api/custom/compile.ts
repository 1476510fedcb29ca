import { isJsonObject } from '../../base/json/member.ts'
import { choicesOf } from './choices.ts'
import { lazyPattern, type Pattern } from './pattern.ts'
import { completedIfPossible } from './prune-and-default.ts'
import { validationRulesOf } from './rules/read-rules.ts'
import {
  extension,
  isSet,
  namedNodesAt,
  nodeAt,
  nodesAt,
  type SchemaNode,
  schemaMember,
  schemaNumber,
  schemaText,
  schemaTexts,
  schemaType,
} from './schema-node.ts'
import type { Bound, Checks, DefaultValue, Structure } from './structure.ts'

/** The compiled parts of a schema. No node or pattern is compiled twice. */
export interface Compiled {
  readonly structures: Map<SchemaNode, Structure>
  readonly patterns: Map<string, Pattern>
}

export function nothingCompiled(): Compiled {
  return { structures: new Map(), patterns: new Map() }
}

/** Reads a checked schema. Unreadable parts count as absent. */
export function compileStructure(node: SchemaNode, compiled = nothingCompiled()): Structure {
  const known = compiled.structures.get(node)
  if (known !== undefined) return known
  const structure = compiledNode(node, compiled)
  compiled.structures.set(node, structure)
  return structure
}

function compiledNode(node: SchemaNode, compiled: Compiled): Structure {
  const type = schemaType(node)
  const properties = propertiesOf(node, compiled)
  const additional = additionalOf(node, compiled)
  const items = nodeAt(node, 'items')
  const listType = schemaText(node, extension.listType)
  const mapType = schemaText(node, extension.mapType)
  const structure: Building = {
    isNullable: isSet(node, 'nullable'),
    isIntOrString: isSet(node, extension.intOrString),
    keepsUnknown: isSet(node, extension.preserveUnknownFields),
    isResource: isSet(node, extension.embeddedResource),
    properties,
    listMapKeys: schemaTexts(node, extension.listMapKeys),
    defaults: defaultsOf(properties),
    rules: validationRulesOf(node),
    checks: checksOf(node, compiled),
  }
  if (type !== undefined) structure.type = type
  if (additional !== undefined) structure.additional = additional
  if (items !== undefined) structure.items = compileStructure(items, compiled)
  if (listType === 'atomic' || listType === 'set' || listType === 'map') structure.listType = listType
  if (mapType === 'granular' || mapType === 'atomic') structure.mapType = mapType
  const fallback = schemaMember(node, 'default')
  if (fallback !== undefined) structure.default = defaultValue(structure, fallback)
  return structure
}

/** Members are assigned one by one, since spreading objects took ten times as long for schemas with thousands of nodes. */
type Building = { -readonly [Member in keyof Structure]: Structure[Member] }

/** Most nodes have none of these, and share the empty values. */
const noProperties: Structure['properties'] = new Map()
const nothing: readonly never[] = []
const noChecks: Checks = { required: nothing, allOf: nothing, anyOf: nothing, oneOf: nothing }

function propertiesOf(node: SchemaNode, compiled: Compiled): Structure['properties'] {
  const members = namedNodesAt(node, 'properties')
  if (members.length === 0) return noProperties
  return new Map(members.map(([name, each]) => [name, compileStructure(each, compiled)]))
}

function additionalOf(node: SchemaNode, compiled: Compiled): Structure | undefined {
  const value = schemaMember(node, 'additionalProperties')
  if (value === true) return compileStructure({ [extension.preserveUnknownFields]: true })
  return isJsonObject(value) ? compileStructure(value, compiled) : undefined
}

function defaultValue(structure: Structure, fallback: unknown): DefaultValue {
  const value = completedIfPossible(structure, fallback)
  return { value, length: (JSON.stringify(value) ?? '').length }
}

function defaultsOf(properties: Structure['properties']): Structure['defaults'] {
  if (properties === noProperties) return nothing
  return [...properties].flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value] as const]))
}

const checkNames = [
  'format',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
]

function checksOf(node: SchemaNode, compiled: Compiled): Checks {
  if (!checkNames.some((name) => Object.hasOwn(node, name))) return noChecks
  const format = schemaText(node, 'format')
  const pattern = schemaText(node, 'pattern')
  const values = schemaMember(node, 'enum')
  const minimum = boundOf(node, 'minimum', 'exclusiveMinimum')
  const maximum = boundOf(node, 'maximum', 'exclusiveMaximum')
  const not = nodeAt(node, 'not')
  const parts = (name: string) => nodesAt(node, name).map((each) => compileStructure(each, compiled))
  return {
    ...(format !== '' && { format }),
    ...(pattern !== '' && { pattern: patternOf(pattern, compiled) }),
    ...(Array.isArray(values) && values.length > 0 && { enum: choicesOf(values) }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...numbersOf(node),
    required: schemaTexts(node, 'required'),
    allOf: parts('allOf'),
    anyOf: parts('anyOf'),
    oneOf: parts('oneOf'),
    ...(not !== undefined && { not: compileStructure(not, compiled) }),
  }
}

function patternOf(source: string, { patterns }: Compiled): Pattern {
  const pattern = patterns.get(source) ?? lazyPattern(source)
  patterns.set(source, pattern)
  return pattern
}

const numberNames = [
  'minLength',
  'maxLength',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const

function numbersOf(node: SchemaNode): Pick<Checks, (typeof numberNames)[number]> {
  const found: { [name in (typeof numberNames)[number]]?: number } = {}
  for (const name of numberNames) {
    const value = schemaNumber(node, name)
    if (value !== undefined) found[name] = value
  }
  return found
}

function boundOf(node: SchemaNode, name: string, exclusiveName: string): Bound | undefined {
  const value = schemaNumber(node, name)
  return value === undefined ? undefined : { value, isExclusive: isSet(node, exclusiveName) }
}
