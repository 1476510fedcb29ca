import type { CompileEffort } from '../compile-effort.ts'
import { type CelType, dynType, isSameType } from '../type.ts'

/** The known substitutions of type parameters. */
export type Substitutions = ReadonlyMap<string, CelType>

/** Whether values of one type can be used where another is expected; returns what follows for type parameters. */
export function unified(
  known: Substitutions,
  pairs: readonly (readonly [CelType, CelType])[],
  effort: CompileEffort,
): Substitutions | undefined {
  const trial = new Trial(known, effort)
  return pairs.every(([left, right]) => trial.isAssignable(left, right)) ? trial.found() : undefined
}

class Trial {
  readonly #known: Substitutions
  readonly #added = new Map<string, CelType>()
  readonly #effort: CompileEffort

  constructor(known: Substitutions, effort: CompileEffort) {
    this.#known = known
    this.#effort = effort
  }

  found(): Substitutions {
    if (this.#added.size === 0) return this.#known
    this.#effort.spend(this.#known.size / 10)
    return new Map([...this.#known, ...this.#added])
  }

  isAssignable(left: CelType, right: CelType): boolean {
    this.#effort.spend(0.1)
    if (right.kind === 'parameter') {
      const { isValid, isKnown } = this.#stands(right, left)
      if (isValid || isKnown) return isValid
    }
    if (left.kind === 'parameter') return this.#stands(left, right).isValid
    if (isAnything(left) || isAnything(right)) return true
    if (left.kind === 'null' || right.kind === 'null') {
      return left.kind === right.kind || isNullable(left.kind === 'null' ? right : left)
    }
    if (left.kind !== right.kind) return false
    if (left.kind === 'type') return true
    return left.name === right.name && this.#areAssignable(left.parameters, right.parameters)
  }

  #areAssignable(left: readonly CelType[], right: readonly CelType[]): boolean {
    return left.length === right.length && left.every((each, index) => this.isAssignable(each, right[index] ?? dynType))
  }

  #get(name: string): CelType | undefined {
    return this.#added.get(name) ?? this.#known.get(name)
  }

  /** Whether a type parameter can be substituted by a type. */
  #stands(parameter: CelType, type: CelType): { readonly isValid: boolean; readonly isKnown: boolean } {
    if (this.#isSame(parameter, type)) return { isValid: true, isKnown: true }
    const before = this.#get(parameter.name)
    if (before === undefined) {
      const isValid = !this.#occursIn(parameter.name, type)
      if (isValid) this.#added.set(parameter.name, type)
      return { isValid, isKnown: false }
    }
    if (this.#isSame(type, before)) return { isValid: true, isKnown: true }
    if (!this.isAssignable(type, before)) return { isValid: false, isKnown: true }
    const general = moreGeneral(type, before)
    if (!this.#occursIn(parameter.name, general)) this.#added.set(parameter.name, general)
    return { isValid: true, isKnown: true }
  }

  #isSame(left: CelType, right: CelType): boolean {
    this.#effort.spend(depthOf(left) / 10)
    return isSameType(left, right)
  }

  #occursIn(name: string, type: CelType): boolean {
    this.#effort.spend(0.1)
    if (type.kind !== 'parameter') return type.parameters.some((each) => this.#occursIn(name, each))
    if (type.name === name) return true
    const found = this.#get(type.name)
    return found !== undefined && this.#occursIn(name, found)
  }
}

/** How deeply types are nested. */
function depthOf(type: CelType): number {
  let depth = 1
  for (let inner = type.parameters[0]; inner !== undefined; inner = inner.parameters[0]) depth++
  return depth
}

function isAnything({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error'
}

function isNullable({ kind }: CelType): boolean {
  return kind === 'opaque' || kind === 'struct' || kind === 'duration' || kind === 'timestamp'
}

/** For two compatible types. */
export function moreGeneral(left: CelType, right: CelType): CelType {
  return isAtLeastAsGeneral(left, right) ? left : right
}

function isAtLeastAsGeneral(left: CelType, right: CelType): boolean {
  if (left.kind === 'dyn' || left.kind === 'parameter') return true
  if (right.kind === 'dyn' || right.kind === 'parameter' || left.kind !== right.kind) return false
  if (left.kind === 'type') return true
  return (
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((each, index) => isAtLeastAsGeneral(each, right.parameters[index] ?? dynType))
  )
}

/** The type with its parameters substituted; unknown ones may become `dyn`. */
export function substituted(
  known: Substitutions,
  type: CelType,
  effort: CompileEffort,
  unknown: 'keep' | 'dyn' = 'keep',
): CelType {
  effort.spend(0.1)
  if (type.kind === 'parameter') {
    const found = known.get(type.name)
    if (found !== undefined) return substituted(known, found, effort, unknown)
    return unknown === 'dyn' ? dynType : type
  }
  if (type.parameters.length === 0) return type
  const parameters = type.parameters.map((each) => substituted(known, each, effort, unknown))
  return parameters.every((each, index) => each === type.parameters[index]) ? type : { ...type, parameters }
}
