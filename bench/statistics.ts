/** The value below which the given share of the sorted values lies. */
export function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return Number.NaN
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  return sorted[index] ?? Number.NaN
}

export function sortedNumbers(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).sort()
}

export function median(values: readonly number[]): number {
  const sorted = sortedNumbers(values)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
