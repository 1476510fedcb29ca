/** The sum of every series of a metric in the text of `/metrics`. */
export function sumOf(metrics: string, name: string): number {
  let sum = 0
  for (const line of metrics.split('\n')) {
    if (!line.startsWith(name) || (line[name.length] !== '{' && line[name.length] !== ' ')) continue
    const value = Number(line.slice(line.lastIndexOf(' ') + 1))
    if (Number.isFinite(value)) sum += value
  }
  return sum
}

export interface Rate {
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly perSecond: readonly number[]
}

/** The values of a counter, by the places that answered. */
export type Totals = ReadonlyMap<string, number>

export interface RateState extends Rate {
  readonly last: { readonly atS: number; readonly totals: Totals } | undefined
}

export const noRate: RateState = { times: [], perSecond: [], last: undefined }

const mostPoints = 60

/** Adds one rate, computed from counters. A counter that went back was reset, and a new one has no rate yet. */
export function withTotals(state: RateState, atS: number, totals: Totals): RateState {
  const { times, perSecond, last } = state
  const growths = last === undefined || atS <= last.atS ? [] : growthsOf(last.totals, totals)
  if (last === undefined || growths.length === 0) return { ...state, last: { atS, totals } }
  const rate = growths.reduce((sum, growth) => sum + growth, 0) / (atS - last.atS)
  return {
    times: [...times, atS].slice(-mostPoints),
    perSecond: [...perSecond, Math.round(rate * 10) / 10].slice(-mostPoints),
    last: { atS, totals },
  }
}

function growthsOf(before: Totals, now: Totals): readonly number[] {
  return [...now].flatMap(([place, total]) => {
    const growth = total - (before.get(place) ?? Number.NaN)
    return growth >= 0 ? [growth] : []
  })
}
