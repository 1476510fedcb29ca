/** A random source that gives the same values for the same seed. */
export interface Chance {
  /** A whole number below the limit. */
  below(limit: number): number
  /** True with this probability. */
  often(share: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  /** Some of the items, in order. */
  some<T>(list: readonly T[], share: number): T[]
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = state
    value = Math.imul(value ^ (value >>> 15), value | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const often = (share: number) => next() < share
  return {
    below,
    often,
    pick: (list) => list[below(list.length)] ?? list[0],
    some: (list, share) => list.filter(() => often(share)),
  }
}
