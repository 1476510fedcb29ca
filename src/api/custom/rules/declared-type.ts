import type { DeclaredSizes } from '../../../cel/environment.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
} from '../../../cel/type.ts'
import type { Structure } from '../structure.ts'
import { escapedProperty } from './property-names.ts'
import { withResourceMembers } from './resource-members.ts'

/** How expressions see a value of a schema. */
export interface DeclaredType {
  readonly type: CelType
  readonly sizes: DeclaredSizes
  /** The minimum length as JSON, which determines how many values there can be. */
  readonly leastLength: number
  /** For objects: the fields that expressions can name, by their escaped names. */
  readonly fields?: ReadonlyMap<string, DeclaredType>
  /** For lists and maps. */
  readonly items?: DeclaredType
}

/** The maximum size of a request. */
export const mostBytes = 3 * 1024 * 1024

const noSize: DeclaredSizes = { most: 0 }

function scalar(type: CelType, leastLength: number, most = 0): DeclaredType {
  return { type, sizes: most === 0 ? noSize : { most }, leastLength }
}

const boolean = scalar(boolType, 4)
const double = scalar(doubleType, 1)
const integer = scalar(intType, 1)
/** Only the value shows its type. */
const intOrString = scalar(dynType, 1, mostBytes - 2)
const leastText = 2

/** Undefined for what expressions do not see: values that the schema does not describe. `name` distinguishes types. */
export function declaredType(structure: Structure, name: string, isResource: boolean): DeclaredType | undefined {
  if (structure.isIntOrString) return intOrString
  switch (structure.type) {
    case 'array':
      return declaredList(structure, name)
    case 'object':
      return structure.additional === undefined || isFree(structure.additional)
        ? declaredObject(isResource ? withResourceMembers(structure) : structure, name)
        : declaredMap(structure, structure.additional, name)
    case 'string':
      return declaredText(structure)
    case 'boolean':
      return boolean
    case 'number':
      return double
    case 'integer':
      return integer
    default:
      return undefined
  }
}

/** `additionalProperties: true` */
function isFree({ type, isIntOrString }: Structure): boolean {
  return type === undefined && !isIntOrString
}

function declaredList({ items, checks }: Structure, name: string): DeclaredType | undefined {
  const inner = items === undefined ? undefined : declaredType(items, `${name}.@idx`, items.isResource)
  if (inner === undefined) return undefined
  const most = limit(checks.maxItems) ?? Math.floor((mostBytes - 2) / (inner.leastLength + 1))
  return { type: listType(inner.type), sizes: { most, items: inner.sizes }, leastLength: 2, items: inner }
}

function declaredMap({ checks }: Structure, values: Structure, name: string): DeclaredType | undefined {
  const inner = declaredType(values, `${name}.@elem`, values.isResource)
  if (inner === undefined) return undefined
  const most = limit(checks.maxProperties) ?? Math.floor((mostBytes - 2) / (inner.leastLength + 6))
  return {
    type: mapType(stringType, inner.type),
    sizes: { most, items: inner.sizes, keys: noSize },
    leastLength: 2,
    items: inner,
  }
}

function declaredObject({ properties, checks }: Structure, name: string): DeclaredType {
  const required = new Set(checks.required)
  const fields = new Map<string, DeclaredType>()
  let leastLength = 2
  for (const [property, structure] of properties) {
    const escaped = escapedProperty(property)
    const field = declaredType(structure, `${name}.${escaped ?? property}`, structure.isResource)
    if (field === undefined) continue
    if (escaped !== undefined) fields.set(escaped, field)
    if (required.has(property) && structure.default === undefined)
      leastLength += property.length + field.leastLength + 4
  }
  const types = new Map([...fields].map(([field, { type }]) => [field, type]))
  const sizes = new Map([...fields].map(([field, each]) => [field, each.sizes]))
  return { type: structType(name, types), sizes: { most: 0, fields: sizes }, leastLength, fields }
}

function declaredText({ checks }: Structure): DeclaredType {
  const { format, maxLength } = checks
  switch (format) {
    case 'byte':
      return scalar(bytesType, leastText, limit(maxLength) ?? mostBytes - 2)
    case 'duration':
      return scalar(durationType, 3, 32)
    case 'date':
      return scalar(timestampType, 12, 12)
    case 'date-time':
      return scalar(timestampType, 21, 32)
    default:
      return scalar(stringType, leastText, mostText(checks))
  }
}

/** A character takes up to four bytes. */
const bytesPerCharacter = 4

function mostText({ maxLength, enum: choices }: Structure['checks']): number {
  if (maxLength !== undefined) return Math.max(0, maxLength) * bytesPerCharacter
  if (choices === undefined) return mostBytes - 2
  return [...choices.scalars].reduce<number>(
    (longest, each) => Math.max(longest, typeof each === 'string' ? each.length : 0),
    0,
  )
}

function limit(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(0, value)
}
