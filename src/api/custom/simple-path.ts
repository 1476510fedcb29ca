import { isJsonObject } from '../../base/json/member.ts'

/** One step of a path: a member, or an item of a list; `*` is every one of them. */
export type PathStep = { readonly member: string } | { readonly index: number } | { readonly every: true }

const step = /^(?:\.([A-Za-z_$][\w$-]*|\*)|\['([^']*)'\]|\["([^"]*)"\]|\[(-?\d+|\*)\])/
const mostSteps = 50

/**
 * Reads what a column or a field selector names, such as `.spec.size`, `.metadata.annotations['a.b/c']` or
 * `.status.conditions[0].type`. Undefined for anything else. Dots and brackets inside a name may be escaped by a backslash.
 */
export function parseSimplePath(text: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = []
  let rest = text
  while (rest !== '') {
    const escaped = /^\.((?:[\w$-]|\\.)+)/.exec(rest)
    const found = escaped ?? step.exec(rest)
    if (found === null || steps.length === mostSteps) return undefined
    steps.push(escaped === null ? stepOf(found) : { member: (escaped[1] ?? '').replace(/\\(.)/g, '$1') })
    rest = rest.slice(found[0].length)
  }
  return steps.length === 0 ? undefined : steps
}

function stepOf([, name, single, double, index]: RegExpExecArray): PathStep {
  const member = single ?? double ?? name
  if (index === '*' || name === '*') return { every: true }
  if (member !== undefined) return { member }
  return { index: Number(index) }
}

/** `.spec.replicas`: members only, below `spec` or `status`. */
export function memberPath(text: string): readonly string[] | undefined {
  const steps = parseSimplePath(text)
  if (steps === undefined) return undefined
  const names = steps.flatMap((each) => ('member' in each ? [each.member] : []))
  return names.length === steps.length ? names : undefined
}

/** All values that the path leads to. */
export function valuesAt(value: unknown, steps: readonly PathStep[]): readonly unknown[] {
  let found: readonly unknown[] = [value]
  for (const each of steps) found = found.flatMap((inside) => next(inside, each))
  return found
}

function next(value: unknown, wanted: PathStep): readonly unknown[] {
  if ('every' in wanted) {
    if (Array.isArray(value)) return value
    return isJsonObject(value) ? Object.values(value) : []
  }
  if ('index' in wanted) return Array.isArray(value) ? value.slice(wanted.index).slice(0, 1) : []
  return isJsonObject(value) && Object.hasOwn(value, wanted.member) ? [value[wanted.member]] : []
}
