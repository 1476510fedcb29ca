export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Above this, the middle is shown as replaced: comparing takes time in proportion to the product of both lengths. */
const mostCells = 4_000_000

/** The differences between two texts, line by line. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1
  let end = 0
  const room = Math.min(old.length, fresh.length) - start
  while (end < room && old.at(-1 - end) === fresh.at(-1 - end)) end += 1
  return [
    ...old.slice(0, start).map((text) => ({ kind: 'same' as const, text })),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...old.slice(old.length - end).map((text) => ({ kind: 'same' as const, text })),
  ]
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function middle(old: readonly string[], fresh: readonly string[]): readonly DiffLine[] {
  if (old.length * fresh.length > mostCells) return [...marked('removed', old), ...marked('added', fresh)]
  const common = commonLengths(old, fresh)
  const width = fresh.length + 1
  const result: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < fresh.length) {
    const [oldText, freshText] = [old[row], fresh[column]]
    const below = row < old.length ? (common[(row + 1) * width + column] ?? 0) : -1
    const beside = column < fresh.length ? (common[row * width + column + 1] ?? 0) : -1
    if (oldText !== undefined && oldText === freshText) {
      result.push({ kind: 'same', text: oldText })
      row += 1
      column += 1
    } else if (oldText !== undefined && below >= beside) {
      result.push({ kind: 'removed', text: oldText })
      row += 1
    } else {
      result.push({ kind: 'added', text: freshText ?? '' })
      column += 1
    }
  }
  return result
}

/** The number of common lines of the remaining texts, for every pair of positions. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      const here = row * width + column
      const isSame = old[row] === fresh[column]
      common[here] = isSame
        ? (common[here + width + 1] ?? 0) + 1
        : Math.max(common[here + width] ?? 0, common[here + 1] ?? 0)
    }
  }
  return common
}

function marked(kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }))
}
