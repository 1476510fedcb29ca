export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

const maxCells = 4_000_000

/**
 * The lines of both texts in one list, with as many as possible in common. If the texts are too long, all lines are
 * replaced.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const start = commonStart(before, after)
  const end = commonEnd(before.slice(start), after.slice(start))
  const oldMiddle = before.slice(start, before.length - end)
  const newMiddle = after.slice(start, after.length - end)
  return [
    ...lines('same', before.slice(0, start)),
    ...diffMiddle(oldMiddle, newMiddle),
    ...lines('same', before.slice(before.length - end)),
  ]
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const width = after.length + 1
  if (before.length * width > maxCells) return [...lines('removed', before), ...lines('added', after)]
  const common = commonLengths(before, after)
  const result: DiffLine[] = []
  let [old, fresh] = [0, 0]
  while (old < before.length || fresh < after.length) {
    const [oldText, freshText] = [before[old], after[fresh]]
    if (oldText !== undefined && oldText === freshText) {
      result.push({ kind: 'same', text: oldText })
      old++
      fresh++
    } else if (oldText !== undefined && (freshText === undefined || prefersRemoval(common, width, old, fresh))) {
      result.push({ kind: 'removed', text: oldText })
      old++
    } else {
      result.push({ kind: 'added', text: freshText ?? '' })
      fresh++
    }
  }
  return result
}

function prefersRemoval(common: Uint32Array, width: number, old: number, fresh: number): boolean {
  return (common[(old + 1) * width + fresh] ?? 0) >= (common[old * width + fresh + 1] ?? 0)
}

/** The number of common lines for every pair of remainders of the two texts. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1
  const common = new Uint32Array((before.length + 1) * width)
  for (let old = before.length - 1; old >= 0; old--) {
    for (let fresh = after.length - 1; fresh >= 0; fresh--) {
      const here = old * width + fresh
      common[here] =
        before[old] === after[fresh]
          ? (common[here + width + 1] ?? 0) + 1
          : Math.max(common[here + width] ?? 0, common[here + 1] ?? 0)
    }
  }
  return common
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  let length = 0
  while (length < before.length && length < after.length && before[length] === after[length]) length++
  return length
}

function commonEnd(before: readonly string[], after: readonly string[]): number {
  let length = 0
  while (length < before.length && length < after.length && before.at(-1 - length) === after.at(-1 - length)) length++
  return length
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }))
}
