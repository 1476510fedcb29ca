/** The sum of every series of a metric in the text that `/metrics` gives. */
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

export interface RateState extends Rate {
  readonly last: { readonly atS: number; readonly total: number } | undefined
}

export const noRate: RateState = { times: [], perSecond: [], last: undefined }

const mostPoints = 60

/** The rates so far and one more, from a counter. A counter that went back has begun anew. */
export function withTotal(state: RateState, atS: number, total: number): RateState {
  const { times, perSecond, last } = state
  if (last === undefined || total < last.total || atS <= last.atS) return { ...state, last: { atS, total } }
  const rate = (total - last.total) / (atS - last.atS)
  return {
    times: [...times, atS].slice(-mostPoints),
    perSecond: [...perSecond, Math.round(rate * 10) / 10].slice(-mostPoints),
    last: { atS, total },
  }
}
