import { goSource, goType, goValue } from '../../api/human/go-print.ts'
import type { Schema } from '../../api/schema.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { extendedPath } from '../../base/json/path.ts'
import { itemsPerStep, type Steps } from '../../base/steps.ts'
import { elementOf } from './list-items.ts'
import { printElement } from './path-element.ts'
import { declaredSchema, itemSchema } from './schema-shape.ts'

/** Why a configuration cannot be applied, each problem with its path; empty if it fits the schema. */
export function configProblems(schema: Schema, config: unknown): Steps<readonly string[]> {
  return problemsOf(schema, config, '')
}

function* problemsOf(schema: Schema, value: unknown, path: string): Steps<readonly string[]> {
  if (value === null || value === undefined || schema.type === 'any') return []
  yield
  if (schema.type === 'object') {
    return isJsonObject(value)
      ? yield* membersProblems(schema, value, path)
      : [at(path, `expected map, got &{${goValue(value)}}`)]
  }
  if (schema.type === 'array') {
    return Array.isArray(value)
      ? yield* itemsProblems(schema, value, path)
      : [at(path, `expected list, got &{${goValue(value)}}`)]
  }
  const problem = scalarProblem(schema, value)
  return problem === undefined ? [] : [at(path, problem)]
}

function* membersProblems(
  schema: Schema,
  members: Readonly<Record<string, unknown>>,
  path: string,
): Steps<readonly string[]> {
  const problems: string[] = []
  let count = 0
  for (const name of Object.keys(members)) {
    if (++count % itemsPerStep === 0) yield
    const below = declaredSchema(schema, name)
    const value = members[name]
    if (below !== undefined && isFine(below, value)) continue
    const inside = extendedPath(path, `.${name}`)
    if (below === undefined) return [...problems, at(inside, 'field not declared in schema')]
    problems.push(...(yield* problemsOf(below, value, inside)))
  }
  return problems
}

/** Most values are strings where strings belong: their paths need not be computed. */
function isFine({ type, format }: Schema, value: unknown): boolean {
  return typeof value === 'string' && type === 'string' && format === undefined
}

function* itemsProblems(schema: Schema, items: readonly unknown[], path: string): Steps<readonly string[]> {
  const problems: string[] = []
  if (schema.listType !== 'map' && schema.listType !== 'set') {
    for (const [index, item] of items.entries())
      problems.push(...(yield* problemsOf(itemSchema(schema), item, extendedPath(path, `[${index}]`))))
    return problems
  }
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const { element, problem } = elementOf(schema, item)
    if (element === undefined) return [...problems, at(path, `element ${index}: ${problem}`)]
    const key = printElement(element)
    if (seen.has(element)) problems.push(at(path, `duplicate entries for key ${key}`))
    seen.add(element)
    problems.push(...(yield* problemsOf(itemSchema(schema), item, extendedPath(path, key))))
  }
  return problems
}

function scalarProblem(schema: Schema, value: unknown): string | undefined {
  if (schema.format === 'int-or-string' || schema.format === 'quantity') {
    return typeof value === 'object' ? `expected any scalar, got &{${goValue(value)}}` : undefined
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${goType(value)}`
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSource(value)}}`
    default:
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goValue(value)}}`
  }
}

function at(path: string, problem: string): string {
  return path === '' ? problem : `${path}: ${problem}`
}
