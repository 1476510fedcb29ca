import { isJsonObject } from '../../base/json/member.ts'

/** One step of a path: a member, one item of a list, every item, or the matching items. */
export type PathStep =
  | { readonly member: string }
  | { readonly index: number }
  | { readonly every: true }
  | { readonly where: Filter }

/** A condition on an item at a relative path. Without a comparison, any value matches. */
interface Filter {
  readonly path: readonly PathStep[]
  readonly comparison?: { readonly isEqual: boolean; readonly value: unknown }
}

const namedStep = /^\.((?:[^\s.,[\]@{}\\]|\\.)+)/
const bracketStep = /^\[(?:'([^']*)'|"([^"]*)"|(-?\d+|\*))\]/
const filterStep = /^\[\?\(\s*@([^=!<>()\s]+)\s*(?:(==|!=)\s*("[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|true|false)\s*)?\)\]/
const mostSteps = 50

/**
 * Reads the path of a column or a field selector, such as `.spec.size`, `.metadata.annotations['a.b/c']`,
 * `.status.conditions[0].type` or `.status.conditions[?(@.type=="Ready")].status`. Undefined for anything else. Dots
 * and brackets inside a name may be escaped with a backslash.
 */
export function parseSimplePath(text: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = []
  let rest = text
  while (rest !== '') {
    const found = readStep(rest)
    if (found === undefined || steps.length === mostSteps) return undefined
    steps.push(found.step)
    rest = rest.slice(found.length)
  }
  return steps.length === 0 ? undefined : steps
}

interface ReadStep {
  readonly step: PathStep
  readonly length: number
}

function readStep(text: string): ReadStep | undefined {
  const named = namedStep.exec(text)
  if (named !== null) return { step: namedStepOf(named[1] ?? ''), length: named[0].length }
  const bracket = bracketStep.exec(text)
  if (bracket !== null) return { step: bracketStepOf(bracket), length: bracket[0].length }
  const filter = filterStep.exec(text)
  const where = filter === null ? undefined : filterOf(filter)
  return filter === null || where === undefined ? undefined : { step: { where }, length: filter[0].length }
}

function namedStepOf(name: string): PathStep {
  return name === '*' ? { every: true } : { member: name.replace(/\\(.)/g, '$1') }
}

function bracketStepOf([, single, double, index]: RegExpExecArray): PathStep {
  const member = single ?? double
  if (member !== undefined) return { member }
  return index === '*' ? { every: true } : { index: Number(index) }
}

function filterOf([, inner = '', operator, literal]: RegExpExecArray): Filter | undefined {
  const path = parseSimplePath(inner)
  if (path === undefined) return undefined
  if (literal === undefined) return { path }
  return { path, comparison: { isEqual: operator === '==', value: literalValue(literal) } }
}

function literalValue(literal: string): string | number | boolean {
  if (/^["']/.test(literal)) return literal.slice(1, -1)
  return literal === 'true' || literal === 'false' ? literal === 'true' : Number(literal)
}

/** `.spec.replicas`: names of members, with no other syntax. */
export function memberPath(text: string): readonly string[] {
  return text.replace(/^\./, '').split('.')
}

/** Large objects are not searched completely: a table does this for each of its cells. */
const mostVisited = 1_000

/** How many values may still be visited for one cell, including by its filters. */
interface Visits {
  left: number
}

/** The first value at the path. */
export function firstAt(value: unknown, steps: readonly PathStep[]): unknown {
  return search(value, steps, 0, { left: mostVisited })
}

function search(value: unknown, steps: readonly PathStep[], at: number, visits: Visits): unknown {
  const step = steps[at]
  if (step === undefined) return value
  for (const inside of next(value, step, visits)) {
    visits.left -= 1
    if (visits.left < 0) return undefined
    const found = search(inside, steps, at + 1, visits)
    if (found !== undefined) return found
  }
  return undefined
}

function next(value: unknown, step: PathStep, visits: Visits): Iterable<unknown> {
  if ('every' in step) {
    if (Array.isArray(value)) return value
    return isJsonObject(value) ? Object.values(value) : []
  }
  if ('where' in step) return Array.isArray(value) ? fitting(value, step.where, visits) : []
  if ('index' in step) return Array.isArray(value) ? value.slice(step.index).slice(0, 1) : []
  return isJsonObject(value) && Object.hasOwn(value, step.member) ? [value[step.member]] : []
}

/** Lazily: items after the first match may not be needed. Every item counts, even if it lacks the field. */
function* fitting(items: readonly unknown[], where: Filter, visits: Visits): Generator<unknown> {
  for (const item of items) {
    visits.left -= 1
    if (visits.left < 0) return
    if (fits(item, where, visits)) yield item
  }
}

function fits(item: unknown, { path, comparison }: Filter, visits: Visits): boolean {
  const found = search(item, path, 0, visits)
  if (found === undefined || comparison === undefined) return found !== undefined
  return (found === comparison.value) === comparison.isEqual
}
