import type { ConcretePath, Path } from './path.ts'
import { isReserved } from './reserved.ts'
import { childOf, stepsInto } from './steps.ts'

export interface Match {
  readonly path: ConcretePath
  readonly value: unknown
}

/** Every place in an object that a path matches, ordered by position and name. Reserved places are omitted. */
export function findMatches(root: unknown, path: Path): readonly Match[] {
  const matches: Match[] = []
  collect(root, path, [], matches)
  return matches
}

/** The match of a path without wildcards; undefined if there is none. Includes reserved places. */
export function matchAt(root: unknown, path: Path): Match | undefined {
  let value = root
  const trail: (string | number)[] = []
  for (const element of path) {
    const [step] = stepsInto(value, element)
    if (step === undefined) return undefined
    trail.push(step)
    value = childOf(value, step)
  }
  return { path: trail, value }
}

function collect(value: unknown, path: Path, trail: (string | number)[], matches: Match[]): void {
  const element = path[trail.length]
  if (element === undefined) {
    if (!isReserved(trail)) matches.push({ path: [...trail], value })
    return
  }
  for (const step of stepsInto(value, element)) {
    trail.push(step)
    collect(childOf(value, step), path, trail, matches)
    trail.pop()
  }
}
