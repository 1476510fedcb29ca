const longestName = 64

/** The known name that was most likely meant, if one is close enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  const simple = simplified(name)
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(simple, simplified(candidate))
    if (distance <= allowedDistance(candidate) && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { name: candidate, distance }
    }
  }
  return best?.name
}

/** Case, dashes and underscores are the most common differences. */
function simplified(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

function allowedDistance(candidate: string): number {
  return Math.max(1, Math.floor(candidate.length / 3))
}

/** How many letters must be added, removed, replaced or swapped with their neighbor. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
