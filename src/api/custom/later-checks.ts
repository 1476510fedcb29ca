import { deepEqual } from '../../base/equal.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { extendedPath } from '../../base/json/path.ts'
import { type FieldError, maxFieldErrors } from '../field-error.ts'
import { embeddedErrors } from './embedded-resource.ts'
import { memberStructure, type Structure } from './structure.ts'
import { itemsByKey, listMapKey, repeatedItems } from './validate-collection.ts'
import { isSpent, type ValidationBudget } from './validation-context.ts'

/** Formatting an error takes as long as visiting this many nodes. */
const nodesOfError = 20

interface Findings {
  readonly embedded: FieldError[]
  readonly repeated: FieldError[]
  readonly budget: ValidationBudget
}

/**
 * What Kubernetes checks after everything else that a schema says, and with other paths: embedded objects, then the
 * items of sets and keyed lists. Objects that had repeated items before may keep them, and add some.
 */
export function laterErrors(
  structure: Structure,
  value: unknown,
  old: unknown,
  budget: ValidationBudget,
): readonly FieldError[] {
  if (!needsLaterChecks(structure)) return []
  const found = findingsIn(structure, value, old, budget)
  if (found.repeated.length === 0 || old === undefined) return [...found.embedded, ...found.repeated]
  const hadRepeated = findingsIn(structure, old, undefined, budget).repeated.length > 0
  return hadRepeated ? found.embedded : [...found.embedded, ...found.repeated]
}

function findingsIn(structure: Structure, value: unknown, old: unknown, budget: ValidationBudget): Findings {
  const findings: Findings = { embedded: [], repeated: [], budget }
  visit(structure, value, old, '', findings)
  return findings
}

function visit(structure: Structure, value: unknown, old: unknown, path: string, findings: Findings): void {
  findings.budget.nodes -= 1
  if (isSpent(findings.budget) || !needsLaterChecks(structure)) return
  if (old !== undefined && deepEqual(value, old)) return
  if (Array.isArray(value)) visitItems(structure, value, old, path, findings)
  else if (isJsonObject(value)) visitMembers(structure, value, old, path, findings)
}

function visitItems(
  structure: Structure,
  items: readonly unknown[],
  old: unknown,
  path: string,
  findings: Findings,
): void {
  add(findings, findings.repeated, repeatedItems(structure, items, path))
  const { items: item } = structure
  if (item === undefined) return
  const before = itemsByKey(structure, old)
  for (const [at, each] of items.entries()) {
    visit(item, each, before?.get(listMapKey(structure, each)), extendedPath(path, `[${at}]`), findings)
  }
}

function visitMembers(
  structure: Structure,
  value: Readonly<Record<string, unknown>>,
  old: unknown,
  path: string,
  findings: Findings,
): void {
  if (structure.isResource) add(findings, findings.embedded, embeddedErrors(value, path))
  const before = asMembers(old)
  for (const name of Object.keys(value).sort()) {
    const member = structure.isResource && name === 'metadata' ? undefined : memberStructure(structure, name)
    if (member === undefined) continue
    const step = structure.properties.has(name) ? (path === '' ? name : `.${name}`) : `[${name}]`
    visit(
      member,
      value[name],
      Object.hasOwn(before, name) ? before[name] : undefined,
      extendedPath(path, step),
      findings,
    )
  }
}

function add({ budget }: Findings, errors: FieldError[], found: readonly FieldError[]): void {
  budget.nodes -= found.length * nodesOfError
  errors.push(...found.slice(0, maxFieldErrors - errors.length))
}

const known = new WeakMap<Structure, boolean>()

/** Most schemas have nothing of the kind, and their objects need not be visited again. */
function needsLaterChecks(structure: Structure): boolean {
  const cached = known.get(structure)
  if (cached !== undefined) return cached
  const { listType, isResource, properties, additional, items } = structure
  const below = [...properties.values(), ...(additional ? [additional] : []), ...(items ? [items] : [])]
  const needs = listType === 'set' || listType === 'map' || isResource || below.some(needsLaterChecks)
  known.set(structure, needs)
  return needs
}
