import type { EstimateCall } from './cost/range.ts'
import type { Meter } from './meter.ts'
import type { CelType } from './type.ts'
import type { CelResult, CelValue } from './value.ts'

/** One signature of a function. */
export interface CelOverload {
  readonly id: string
  /** Called on its first argument: `a.f(b)`. */
  readonly isMember: boolean
  readonly parameters: readonly CelType[]
  readonly result: CelType
  /** Absent for what the evaluation does itself, such as `&&`. */
  readonly call?: (args: readonly CelValue[], meter: Meter) => CelResult
  /** Charged before the call; absent: 1. */
  readonly cost?: (args: readonly CelValue[]) => number
  /** Known before there are values; absent: 1. */
  readonly estimate?: EstimateCall
}

export interface CelFunction {
  readonly name: string
  readonly overloads: readonly CelOverload[]
}

/** Functions that belong together. */
export interface CelLibrary {
  readonly functions: readonly CelFunction[]
  /** Names of types: `type(x) == int`. */
  readonly types?: ReadonlyMap<string, CelType>
}

/** What expressions may refer to. */
export interface CelEnvironment {
  readonly functions: ReadonlyMap<string, readonly CelOverload[]>
  readonly types: ReadonlyMap<string, CelType>
  readonly variables: ReadonlyMap<string, CelVariable>
}

export interface CelVariable {
  readonly type: CelType
  /** The maximum size of its values; absent: unknown. */
  readonly sizes?: DeclaredSizes
}

/** The maximum number of characters, items or members of values, and of what they contain. */
export interface DeclaredSizes {
  readonly most: number
  readonly fields?: ReadonlyMap<string, DeclaredSizes>
  readonly items?: DeclaredSizes
  readonly keys?: DeclaredSizes
}

export function celEnvironment(libraries: readonly CelLibrary[]): CelEnvironment {
  const functions = new Map<string, readonly CelOverload[]>()
  const types = new Map<string, CelType>()
  for (const library of libraries) {
    for (const { name, overloads } of library.functions) {
      functions.set(name, [...(functions.get(name) ?? []), ...overloads])
    }
    for (const [name, type] of library.types ?? []) types.set(name, type)
  }
  return { functions, types, variables: new Map() }
}

export function withVariables(
  environment: CelEnvironment,
  variables: ReadonlyMap<string, CelVariable>,
): CelEnvironment {
  return { ...environment, variables: new Map([...environment.variables, ...variables]) }
}

type MakeOverload = (
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call: NonNullable<CelOverload['call']>,
  costs?: Pick<CelOverload, 'cost' | 'estimate'>,
) => CelOverload

export const memberOverload: MakeOverload = (id, parameters, result, call, costs) => {
  return { id, isMember: true, parameters, result, call, ...costs }
}

export const globalOverload: MakeOverload = (id, parameters, result, call, costs) => {
  return { id, isMember: false, parameters, result, call, ...costs }
}
