/** Numbers from 0 up to, but not including, the argument; the same ones for the same seed. */
export function seededNumbers(seed: number): (below: number) => number {
  let state = (seed + 1) * 0x9e3779b1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b1) >>> 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0
    return Math.floor((mixed / 2 ** 32) * below)
  }
}
