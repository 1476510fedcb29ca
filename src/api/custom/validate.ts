import { deepEqual } from '../../base/equal.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { type PathElement, printPath } from '../../base/json/path.ts'
import { type FieldError, invalidField, maxFieldErrors, requiredField, typeInvalidField } from '../field-error.ts'
import { junctorErrors } from './junctors.ts'
import { laterErrors } from './later-checks.ts'
import { memberStructure, type Structure } from './structure.ts'
import { itemsByKey, listErrors, listMapKey, membersErrors } from './validate-collection.ts'
import { enumErrors, numberErrors, stringErrors } from './validate-scalar.ts'
import { isSpent, type ValidationBudget, type ValidationContext, validationBudget } from './validation-context.ts'

/** Formatting an error takes as long as visiting this many nodes. */
const nodesOfError = 20
/** How many name lookups take as long as visiting a node. */
const namesPerNode = 10

/**
 * What is wrong with a value, in the words of Kubernetes. Unchanged values are not reported if the schema has become
 * stricter; `old` is absent for a new object.
 */
export function validateValue(
  structure: Structure,
  value: unknown,
  old?: unknown,
  budget: ValidationBudget = validationBudget(),
): readonly FieldError[] {
  const errors = [
    ...nodeErrors(structure, value, old, { path: [], budget }),
    ...laterErrors(structure, value, old, budget),
  ]
  return isSpent(budget) ? [tooCostly] : errors.slice(0, maxFieldErrors)
}

const tooCostly: FieldError = invalidField(
  '<nil>',
  '',
  'it takes too long to hold this object against its schema: make lists and texts shorter, or the schema simpler',
)

const noErrors: readonly FieldError[] = []

function nodeErrors(
  structure: Structure,
  value: unknown,
  old: unknown,
  context: ValidationContext,
): readonly FieldError[] {
  const { budget } = context
  budget.nodes -= 1 + structure.checks.required.length / namesPerNode
  if (isSpent(budget)) return noErrors
  if (old !== undefined && deepEqual(value, old)) return noErrors
  if (value === null && structure.isNullable) return noErrors
  if (!hasType(structure, value)) return mismatchErrors(structure, value, context)
  const own = charged(ownErrors(structure, value, context), budget)
  const junctors = junctorErrors(structure, context, (each) => nodeErrors(each, value, undefined, context))
  if (junctors.length > 0) budget.nodes -= nodesOfError
  const inner = innerErrors(structure, value, old, context)
  // If there was a previous value, Kubernetes checks the items of a list before their number.
  const isListBefore = Array.isArray(value) && old !== undefined
  return [...junctors, ...(isListBefore ? [...inner, ...own] : [...own, ...inner])].slice(0, maxFieldErrors)
}

/** A value of the wrong type also gets the other errors, except those that only apply to the type. Null gets none. */
function mismatchErrors(structure: Structure, value: unknown, context: ValidationContext): readonly FieldError[] {
  const { checks } = structure
  const own = charged(
    [wrongType(structure, value, context.path), ...enumErrors(checks, value, context)],
    context.budget,
  )
  if (value === null) return own
  const numbers = typeof value === 'number' ? numberErrors(checks, value, context.path) : noErrors
  const junctors = junctorErrors(structure, context, (each) => nodeErrors(each, value, undefined, context))
  if (junctors.length > 0) context.budget.nodes -= nodesOfError
  return [...own, ...junctors, ...charged(numbers, context.budget)].slice(0, maxFieldErrors)
}

function charged(errors: readonly FieldError[], budget: ValidationBudget): readonly FieldError[] {
  budget.nodes -= errors.length * nodesOfError
  return errors
}

function ownErrors(structure: Structure, value: unknown, context: ValidationContext): readonly FieldError[] {
  const { checks } = structure
  const enumerated = enumErrors(checks, value, context)
  if (typeof value === 'string') return [...stringErrors(checks, value, context), ...enumerated]
  if (typeof value === 'number' || typeof value === 'bigint')
    return [...numberErrors(checks, value, context.path), ...enumerated]
  if (Array.isArray(value)) return [...listErrors(structure, value, context.path), ...enumerated]
  return enumerated
}

/** Items first, then members, then missing members. */
function innerErrors(
  structure: Structure,
  value: unknown,
  old: unknown,
  context: ValidationContext,
): readonly FieldError[] {
  if (Array.isArray(value)) return itemErrors(structure, value, old, context)
  if (!isJsonObject(value)) return noErrors
  const names = isConcernedWithMembers(structure) ? Object.keys(value) : []
  context.budget.nodes -= names.length / namesPerNode
  return [
    ...charged(membersErrors(structure, names.length, context.path), context.budget),
    ...memberErrors(structure, value, names, old, context),
    ...charged(missing(structure, value, context.path), context.budget),
  ]
}

function isConcernedWithMembers({ properties, additional, checks }: Structure): boolean {
  const isCounted = checks.minProperties !== undefined || checks.maxProperties !== undefined
  return isCounted || properties.size > 0 || additional !== undefined
}

function memberErrors(
  structure: Structure,
  value: Record<string, unknown>,
  names: string[],
  old: unknown,
  context: ValidationContext,
): readonly FieldError[] {
  if (structure.properties.size === 0 && structure.additional === undefined) return noErrors
  const before = asMembers(old)
  const errors: FieldError[] = []
  for (const name of names.sort()) {
    const member = structure.isResource && name === 'metadata' ? undefined : memberStructure(structure, name)
    if (member === undefined) continue
    context.path.push(name)
    const oldMember = Object.hasOwn(before, name) ? before[name] : undefined
    errors.push(...nodeErrors(member, value[name], oldMember, context))
    context.path.pop()
    if (errors.length > maxFieldErrors) break
  }
  return errors
}

function itemErrors(
  structure: Structure,
  items: readonly unknown[],
  old: unknown,
  context: ValidationContext,
): readonly FieldError[] {
  const { items: item } = structure
  if (item === undefined) return noErrors
  const before = itemsByKey(structure, old)
  const errors: FieldError[] = []
  for (let at = 0; at < items.length && errors.length <= maxFieldErrors; at++) {
    context.path.push(at)
    errors.push(...nodeErrors(item, items[at], before?.get(listMapKey(structure, items[at])), context))
    context.path.pop()
  }
  return errors
}

function missing(
  { checks }: Structure,
  value: Record<string, unknown>,
  path: readonly PathElement[],
): readonly FieldError[] {
  const absent: string[] = []
  for (const name of checks.required) {
    if (absent.length < maxFieldErrors && !Object.hasOwn(value, name)) absent.push(name)
  }
  return absent.map((name) => requiredField(printPath([...path, name])))
}

function hasType({ type, isIntOrString }: Structure, value: unknown): boolean {
  if (isIntOrString) return typeof value === 'string' || isInteger(value)
  switch (type) {
    case undefined:
      return true
    case 'object':
      return isJsonObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return isInteger(value)
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
    default:
      return typeof value === type
  }
}

/** A number written with an exponent or a fraction is an integer only if a double holds it exactly. */
function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value)
}

/** The type is shown in place of the value, which does not matter here. */
function wrongType({ type, isIntOrString }: Structure, value: unknown, path: readonly PathElement[]): FieldError {
  const found = jsonType(value)
  const wanted = isIntOrString ? 'integer,string' : (type ?? '')
  const field = path.length === 0 ? '<nil>' : printPath(path)
  return typeInvalidField(field, found, `${printPath(path)} in body must be of type ${wanted}: "${found}"`)
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return isInteger(value) ? 'integer' : typeof value
}
