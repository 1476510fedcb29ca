export type CelTypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'opaque'
  | 'struct'
  | 'parameter'

/** What is known about a value in advance. */
export interface CelType {
  readonly kind: CelTypeKind
  /** The name in `type(value)`, or that of the type parameter. */
  readonly name: string
  /** For lists the items, for maps keys and values. */
  readonly parameters: readonly CelType[]
  /** For structs. */
  readonly fields?: ReadonlyMap<string, CelType>
}

const none: readonly CelType[] = []

function simple(kind: CelTypeKind, name: string = kind): CelType {
  return { kind, name, parameters: none }
}

export const boolType = simple('bool')
export const intType = simple('int')
export const uintType = simple('uint')
export const doubleType = simple('double')
export const stringType = simple('string')
export const bytesType = simple('bytes')
export const nullType = simple('null', 'null_type')
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp')
export const durationType = simple('duration', 'google.protobuf.Duration')
export const dynType = simple('dyn')
export const errorType = simple('error', '!error!')

export function listType(item: CelType): CelType {
  return { kind: 'list', name: 'list', parameters: [item] }
}

export function mapType(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', parameters: [key, value] }
}

export function typeOfType(type?: CelType): CelType {
  return { kind: 'type', name: 'type', parameters: type === undefined ? none : [type] }
}

export function opaqueType(name: string, ...parameters: readonly CelType[]): CelType {
  return { kind: 'opaque', name, parameters }
}

export function optionalType(value: CelType): CelType {
  return opaqueType('optional_type', value)
}

export function structType(name: string, fields: ReadonlyMap<string, CelType> = new Map()): CelType {
  return { kind: 'struct', name, parameters: none, fields }
}

export function typeParameter(name: string): CelType {
  return { kind: 'parameter', name, parameters: none }
}

export function firstParameter({ parameters: [first] }: CelType): CelType {
  return first ?? dynType
}

export function secondParameter({ parameters: [, second] }: CelType): CelType {
  return second ?? dynType
}

export function isOptionalType({ kind, name }: CelType): boolean {
  return kind === 'opaque' && name === 'optional_type'
}

export function isSameType(left: CelType, right: CelType): boolean {
  if (left === right) return true
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((each, index) => isSameType(each, right.parameters[index] ?? dynType))
  )
}

const shownNames: { readonly [kind in CelTypeKind]?: string } = {
  null: 'null',
  timestamp: 'timestamp',
  duration: 'duration',
}

/** As shown in errors. */
export function printType(type: CelType): string {
  const name = shownNames[type.kind] ?? type.name
  return type.parameters.length === 0 ? name : `${name}(${type.parameters.map(printType).join(', ')})`
}
