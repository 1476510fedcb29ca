import type { CompileEffort } from '../compile-effort.ts'
import type { CelEnvironment, CelOverload } from '../environment.ts'
import type { SourceError } from '../syntax/source-error.ts'
import {
  type CallNode,
  type CelNode,
  type ElementNode,
  type FoldNode,
  type IdentifierNode,
  type ListNode,
  type MapNode,
  operator,
  type SelectNode,
  type StructNode,
} from '../syntax/tree.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  dynType,
  errorType,
  firstParameter,
  intType,
  isOptionalType,
  isSameType,
  listType,
  mapType,
  nullType,
  optionalType,
  printType,
  secondParameter,
  stringType,
  typeOfType,
  typeParameter,
  uintType,
} from '../type.ts'
import type { CelValue } from '../value.ts'
import { moreGeneral, type Substitutions, substituted, unified } from './unify.ts'

/** What is known about an expression besides its tree. */
export interface CheckedExpression {
  readonly root: CelNode
  readonly typeOf: (node: CelNode) => CelType
  readonly resolutionOf: (node: CelNode) => NameResolution | undefined
  /** Variables of the environment that it uses. */
  readonly variables: ReadonlySet<string>
}

export type NameResolution =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'type'; readonly name: string }
  | { readonly kind: 'function'; readonly overloads: readonly CelOverload[]; readonly isMember: boolean }

export type Checked = CheckedExpression | { readonly errors: readonly SourceError[] }

/** Determines the type of everything in an expression, and which functions are called. */
export function checkExpression(root: CelNode, environment: CelEnvironment, effort: CompileEffort): Checked {
  const checker = new Checker(environment, effort)
  checker.check(root)
  return checker.errors.length > 0 ? { errors: checker.errors } : checker.result(root)
}

class Checker {
  readonly errors: SourceError[] = []
  readonly #environment: CelEnvironment
  readonly #effort: CompileEffort
  readonly #types = new Map<CelNode, CelType>()
  readonly #resolutions = new Map<CelNode, NameResolution>()
  readonly #variables = new Set<string>()
  /** Loop variables, the innermost last. */
  readonly #scopes: (readonly [string, CelType])[] = []
  #known: Substitutions = new Map()
  #parameters = 0

  constructor(environment: CelEnvironment, effort: CompileEffort) {
    this.#environment = environment
    this.#effort = effort
  }

  result(root: CelNode): CheckedExpression {
    for (const [node, type] of this.#types) {
      this.#types.set(node, substituted(this.#known, type, this.#effort, 'dyn'))
    }
    return {
      root,
      typeOf: (node) => this.#types.get(node) ?? dynType,
      resolutionOf: (node) => this.#resolutions.get(node),
      variables: this.#variables,
    }
  }

  check(node: CelNode): CelType {
    this.#effort.spend(1)
    const type = this.#typeOf(node)
    this.#types.set(node, type)
    return type
  }

  #typeOf(node: CelNode): CelType {
    switch (node.kind) {
      case 'literal':
        return literalType(node.value)
      case 'identifier':
        return this.#identifier(node)
      case 'select':
        return this.#select(node)
      case 'call':
        return this.#call(node)
      case 'list':
        return this.#list(node)
      case 'map':
        return this.#map(node)
      case 'struct':
        return this.#struct(node)
      case 'fold':
        return this.#fold(node)
    }
  }

  #report(at: number, message: string): CelType {
    this.errors.push({ at, message })
    return errorType
  }

  #undeclared(at: number, name: string): CelType {
    return this.#report(at, `undeclared reference to '${name}' (in container '')`)
  }

  #substituted(type: CelType): CelType {
    return substituted(this.#known, type, this.#effort)
  }

  #isAssignable(left: CelType, right: CelType): boolean {
    const found = unified(this.#known, [[left, right]], this.#effort)
    if (found !== undefined) this.#known = found
    return found !== undefined
  }

  /** A loop variable, a variable of the environment, or a type; the resolution is recorded for the node. */
  #lookup(node: CelNode, name: string): CelType | undefined {
    const plain = name.startsWith('.') ? name.slice(1) : name
    const local = plain === name ? this.#scopes.findLast(([each]) => each === plain) : undefined
    if (local !== undefined) {
      this.#resolutions.set(node, { kind: 'variable', name: plain })
      return local[1]
    }
    const variable = this.#environment.variables.get(plain)
    if (variable !== undefined) {
      this.#resolutions.set(node, { kind: 'variable', name: plain })
      this.#variables.add(plain)
      return variable.type
    }
    const type = this.#environment.types.get(plain)
    if (type === undefined) return undefined
    this.#resolutions.set(node, { kind: 'type', name: type.name })
    return typeOfType(type)
  }

  #identifier(node: IdentifierNode): CelType {
    return this.#lookup(node, node.name) ?? this.#undeclared(node.at, node.name)
  }

  #select(node: SelectNode): CelType {
    const name = node.isTest ? undefined : qualifiedName(node)
    const found = name === undefined ? undefined : this.#lookup(node, name)
    if (found !== undefined) return found
    const type = this.#selected(node.at, this.check(node.operand), node.field, false)
    return node.isTest ? boolType : this.#substituted(type)
  }

  #selected(at: number, operand: CelType, field: string, isOptional: boolean): CelType {
    const type = this.#substituted(operand)
    const wasOptional = isOptionalType(type)
    const found = this.#fieldOf(at, wasOptional ? firstParameter(type) : type, field)
    return wasOptional || isOptional ? optionalType(found) : found
  }

  #fieldOf(at: number, type: CelType, field: string): CelType {
    switch (type.kind) {
      case 'map':
        return secondParameter(type)
      case 'struct':
        return type.fields?.get(field) ?? this.#report(at, `undefined field '${field}'`)
      case 'parameter':
        this.#isAssignable(dynType, type)
        return dynType
      case 'dyn':
      case 'error':
        return dynType
      default:
        this.#report(at, `type '${printType(type)}' does not support field selection`)
        return dynType
    }
  }

  #call(node: CallNode): CelType {
    if (node.name === operator.optionalSelect) return this.#optionalSelect(node)
    const args = node.args.map((each) => this.check(each))
    if (node.target === undefined) {
      const overloads = this.#environment.functions.get(withoutDot(node.name))
      if (overloads === undefined) return this.#undeclared(node.at, node.name)
      return this.#resolved(node, overloads, args, false)
    }
    const prefix = qualifiedName(node.target)
    const qualified = prefix === undefined ? undefined : this.#qualified(`${prefix}.${node.name}`)
    if (qualified !== undefined) return this.#resolved(node, qualified, args, false)
    const target = this.check(node.target)
    const overloads = this.#environment.functions.get(node.name)
    if (overloads === undefined) return this.#undeclared(node.at, node.name)
    return this.#resolved(node, overloads, [target, ...args], true)
  }

  #qualified(name: string): readonly CelOverload[] | undefined {
    return this.#environment.functions.get(withoutDot(name))
  }

  #optionalSelect(node: CallNode): CelType {
    const [operand, field] = node.args
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') return errorType
    this.#types.set(field, stringType)
    this.#resolutions.set(node, { kind: 'function', overloads: [], isMember: false })
    return this.#substituted(this.#selected(node.at, this.check(operand), field.value, true))
  }

  #resolved(node: CallNode, overloads: readonly CelOverload[], args: readonly CelType[], isMember: boolean): CelType {
    if (node.name === operator.and || node.name === operator.or) return this.#logical(node, overloads, args)
    const matching: CelOverload[] = []
    let result: CelType | undefined
    for (const overload of overloads) {
      if (overload.isMember !== isMember || overload.parameters.length !== args.length) continue
      const fresh = this.#fresh(overload)
      const pairs = args.map((each, index) => [each, fresh.parameters[index] ?? dynType] as const)
      const found = unified(this.#known, pairs, this.#effort)
      if (found === undefined) continue
      this.#known = found
      matching.push(overload)
      const type = this.#substituted(fresh.result)
      if (result === undefined) result = type
      else if (result.kind !== 'dyn' && !isSameType(result, type)) result = dynType
    }
    if (result === undefined) return this.#noMatch(node, args, isMember)
    this.#resolutions.set(node, { kind: 'function', overloads: matching, isMember })
    return result
  }

  #logical(node: CallNode, overloads: readonly CelOverload[], args: readonly CelType[]): CelType {
    const wrong = node.args.filter((_, index) => !this.#isAssignable(args[index] ?? dynType, boolType))
    for (const each of wrong) {
      this.#report(each.at, `expected type 'bool' but found '${printType(this.#types.get(each) ?? dynType)}'`)
    }
    this.#resolutions.set(node, { kind: 'function', overloads, isMember: false })
    return wrong.length > 0 ? errorType : boolType
  }

  #noMatch(node: CallNode, args: readonly CelType[], isMember: boolean): CelType {
    const shown = args.map((each) => printType(substituted(this.#known, each, this.#effort, 'dyn')))
    const signature = isMember ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`
    return this.#report(node.at, `found no matching overload for '${node.name}' applied to '${signature}'`)
  }

  /** The signature with fresh type parameters, so that two calls are independent. */
  #fresh({ parameters, result }: CelOverload): Pick<CelOverload, 'parameters' | 'result'> {
    const names = new Map<string, CelType>()
    const replaced = (type: CelType): CelType => {
      if (type.kind === 'parameter') {
        const known = names.get(type.name) ?? this.#newParameter()
        names.set(type.name, known)
        return known
      }
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(replaced) }
    }
    return { parameters: parameters.map(replaced), result: replaced(result) }
  }

  #newParameter(): CelType {
    this.#parameters++
    return typeParameter(`_var${this.#parameters - 1}`)
  }

  #list({ elements }: ListNode): CelType {
    let joined: CelType | undefined
    for (const element of elements) joined = this.#joined(joined, this.#element(element))
    return listType(joined ?? this.#newParameter())
  }

  /** The type of what an element adds, if it is present. */
  #element({ value, isOptional }: ElementNode): CelType {
    const type = this.check(value)
    if (!isOptional) return type
    if (isOptionalType(type)) return firstParameter(type)
    if (type.kind !== 'dyn') {
      this.#report(value.at, `expected type '${printType(optionalType(type))}' but found '${printType(type)}'`)
    }
    return type
  }

  #map({ entries }: MapNode): CelType {
    let keys: CelType | undefined
    let values: CelType | undefined
    for (const entry of entries) {
      keys = this.#joined(keys, this.check(entry.key))
      values = this.#joined(values, this.#element(entry))
    }
    return mapType(keys ?? this.#newParameter(), values ?? this.#newParameter())
  }

  /** Whether lists may hold values of several types is decided later. */
  #joined(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type
    return this.#isAssignable(before, type) ? moreGeneral(before, type) : dynType
  }

  /** No library has structs that an expression can create. */
  #struct({ typeName, fields, at }: StructNode): CelType {
    const type = this.#environment.types.get(withoutDot(typeName))
    for (const { value } of fields) this.check(value)
    if (type === undefined) return this.#undeclared(at, typeName)
    return this.#report(at, `'${type.name}' is not a message type`)
  }

  #fold(node: FoldNode): CelType {
    const range = this.#substituted(this.check(node.range))
    const accumulated = this.check(node.initial)
    const outside = this.#scopes.length
    this.#scopes.push([node.accumulator, accumulated], [node.variable, this.#iterated(node, range)])
    this.#require(node.condition, boolType)
    this.#require(node.step, accumulated)
    this.#scopes.length = outside + 1
    const result = this.check(node.result)
    this.#scopes.length = outside
    return this.#substituted(result)
  }

  #iterated(node: FoldNode, range: CelType): CelType {
    switch (range.kind) {
      case 'list':
      case 'map':
        return firstParameter(range)
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#isAssignable(dynType, range)
        return dynType
      default: {
        const shown = printType(range)
        return this.#report(
          node.range.at,
          `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        )
      }
    }
  }

  #require(node: CelNode, type: CelType): void {
    const found = this.check(node)
    if (this.#isAssignable(type, found)) return
    this.#report(node.at, `expected type '${printType(type)}' but found '${printType(found)}'`)
  }
}

function withoutDot(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name
}

/** `a.b.c`, which may be one name. */
function qualifiedName(node: CelNode): string | undefined {
  if (node.kind === 'identifier') return node.name
  if (node.kind !== 'select' || node.isTest) return undefined
  const prefix = qualifiedName(node.operand)
  return prefix === undefined ? undefined : `${prefix}.${node.field}`
}

function literalType(value: CelValue): CelType {
  switch (typeof value) {
    case 'string':
      return stringType
    case 'boolean':
      return boolType
    case 'bigint':
      return intType
    case 'number':
      return doubleType
    default:
      if (value === null) return nullType
      return value.kind === 'uint' ? uintType : bytesType
  }
}
