import type { CompiledPatch, Direction } from './contract.ts'
import type { Path } from './path/path.ts'

/** A patch and its position in the list. */
export interface ListedPatch {
  readonly index: number
  readonly patch: CompiledPatch
}

/**
 * Patches in the order in which they run, in groups. No patch of a group can see the effect of another in it, so their
 * expressions can be evaluated together.
 */
export function wavesOf(patches: readonly CompiledPatch[], direction: Direction): readonly (readonly ListedPatch[])[] {
  const listed = patches.map((patch, index) => ({ index, patch }))
  const waves: ListedPatch[][] = []
  for (const next of direction === 'toHost' ? listed : listed.reverse()) {
    const last = waves.at(-1)
    if (last?.every(({ patch }) => areApart(patch.path, next.patch.path))) last.push(next)
    else waves.push([next])
  }
  return waves
}

/** Only different members are certainly independent: removing an element moves those after it. */
function areApart(left: Path, right: Path): boolean {
  return left.some((element, position) => {
    const other = right[position]
    return element.type === 'member' && other?.type === 'member' && element.name !== other.name
  })
}
