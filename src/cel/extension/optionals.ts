import { type CelLibrary, type CelOverload, globalOverload, memberOverload } from '../environment.ts'
import { operator } from '../syntax/tree.ts'
import {
  boolType,
  type CelType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  typeParameter,
} from '../type.ts'
import { type CelOptional, type CelValue, emptyOptional, failure, noSuchOverload, optionalOf } from '../value.ts'

const k = typeParameter('K')
const v = typeParameter('V')
const optional = optionalType(v)

/** Functions that the evaluation implements itself. */
function builtin(id: string, parameters: readonly CelType[], result: CelType, isMember = false): CelOverload {
  return { id, isMember, parameters, result }
}

function isOptional(value: CelValue | undefined): value is CelOptional {
  return typeof value === 'object' && value?.kind === 'optional'
}

/** Zero values: empty, zero, false or null. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true
  if (typeof value !== 'object') return false
  switch (value.kind) {
    case 'list':
    case 'map':
      return value.size === 0
    case 'bytes':
      return value.bytes.length === 0
    case 'uint':
      return value.value === 0n
    case 'duration':
    case 'timestamp':
      return value.nanoseconds === 0n
    case 'optional':
      return value.value === undefined
    default:
      return false
  }
}

export const optionals: CelLibrary = {
  functions: [
    {
      name: 'optional.of',
      overloads: [globalOverload('optional_of', [v], optional, ([value = null]) => optionalOf(value))],
    },
    {
      name: 'optional.ofNonZeroValue',
      overloads: [
        globalOverload('optional_ofNonZeroValue', [v], optional, ([value = null]) =>
          isZero(value) ? emptyOptional : optionalOf(value),
        ),
      ],
    },
    { name: 'optional.none', overloads: [globalOverload('optional_none', [], optional, () => emptyOptional)] },
    {
      name: 'value',
      overloads: [
        memberOverload('optional_value', [optional], v, ([value]) =>
          isOptional(value) ? (value.value ?? noValue(value)) : noSuchOverload,
        ),
      ],
    },
    {
      name: 'hasValue',
      overloads: [
        memberOverload('optional_hasValue', [optional], boolType, ([value]) =>
          isOptional(value) ? value.value !== undefined : noSuchOverload,
        ),
      ],
    },
    { name: 'or', overloads: [builtin('optional_or_optional', [optional, optional], optional, true)] },
    { name: 'orValue', overloads: [builtin('optional_orValue_value', [optional, v], v, true)] },
    { name: operator.optionalSelect, overloads: [builtin('select_optional_field', [dynType, stringType], optional)] },
    {
      name: operator.optionalIndex,
      overloads: [
        builtin('list_optindex_optional_int', [listType(v), intType], optional),
        builtin('optional_list_optindex_optional_int', [optionalType(listType(v)), intType], optional),
        builtin('map_optindex_optional_value', [mapType(k, v), k], optional),
        builtin('optional_map_optindex_optional_value', [optionalType(mapType(k, v)), k], optional),
      ],
    },
    {
      name: operator.index,
      overloads: [
        builtin('optional_list_index_int', [optionalType(listType(v)), intType], optional),
        builtin('optional_map_index_value', [optionalType(mapType(k, v)), k], optional),
      ],
    },
  ],
  types: new Map([['optional_type', optionalType(dynType)]]),
}

/** The value may be null, which is a value. */
function noValue({ value }: CelOptional): ReturnType<typeof failure> | null {
  return value === undefined ? failure('optional.none() dereference') : null
}
