import type { ConcretePath, Path } from './path.ts'
import { isReserved } from './reserved.ts'
import { childOf, stepsInto } from './steps.ts'

export interface Match {
  readonly path: ConcretePath
  readonly value: unknown
}

/** Every place in an object that a path means, in the order of positions and names. Reserved places are left out. */
export function findMatches(root: unknown, path: Path): readonly Match[] {
  const matches: Match[] = []
  collect(root, path, [], matches)
  return matches
}

/** What a path without wildcards leads to; nothing if it leads nowhere. Reads reserved places too. */
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
