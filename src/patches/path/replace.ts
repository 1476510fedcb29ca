import { isJsonObject, setMember } from '../../base/json/member.ts'
import type { ConcretePath } from './path.ts'
import { childOf } from './steps.ts'

/** A new value for an existing place; `undefined` removes it. */
export interface Replacement {
  readonly path: ConcretePath
  readonly value: unknown
}

/** A range of replacements that share their first `depth` steps. */
interface Run {
  readonly replacements: readonly Replacement[]
  readonly from: number
  readonly to: number
  readonly depth: number
}

/**
 * The object with all replacements made at once, sharing what did not change. Replacements must be in the order of
 * matches, and none may lead through another. Each container is copied once, so the cost grows linearly with the
 * replacements; elements removed from an array are removed together, so that paths keep referring to the original
 * positions.
 */
export function replaceAt(root: unknown, replacements: readonly Replacement[]): unknown {
  if (replacements.length === 0) return root
  return rebuilt(root, { replacements, from: 0, to: replacements.length, depth: 0 })
}

function rebuilt(value: unknown, run: Run): unknown {
  const first = run.replacements[run.from]
  if (first === undefined || first.path.length === run.depth) return first?.value
  if (Array.isArray(value)) return rebuiltArray(value, run)
  return isJsonObject(value) ? rebuiltObject(value, run) : value
}

function rebuiltArray(value: readonly unknown[], run: Run): readonly unknown[] {
  const copy = [...value]
  let removes = false
  forEachChild(run, (step, child) => {
    if (typeof step !== 'number') return
    const after = rebuilt(value[step], child)
    copy[step] = after
    removes ||= after === undefined
  })
  return removes ? copy.filter((item) => item !== undefined) : copy
}

function rebuiltObject(value: Record<string, unknown>, run: Run): Record<string, unknown> {
  const copy = { ...value }
  forEachChild(run, (step, child) => {
    const name = String(step)
    const after = rebuilt(childOf(value, name), child)
    if (after === undefined) delete copy[name]
    else setMember(copy, name, after)
  })
  return copy
}

function forEachChild(run: Run, visit: (step: string | number, child: Run) => void): void {
  const { replacements, depth } = run
  let from = run.from
  while (from < run.to) {
    const step = replacements[from]?.path[depth]
    let to = from + 1
    while (to < run.to && replacements[to]?.path[depth] === step) to++
    if (step !== undefined) visit(step, { replacements, from, to, depth: depth + 1 })
    from = to
  }
}
