import { parseGoDuration } from '../../human/go-duration.ts'

/** The last of each may go on: `minutes`, `dayz`. */
const units = [
  'ns|nano.*',
  'us|µs|micro.*',
  'ms|milli.*',
  's|sec.*',
  'm|min.*',
  'h|hr|hour.*',
  'd|day.*',
  'w|wk|week.*',
]
const unit = new RegExp(`^(?:${units.join('|')})$`, 'i')

const largest = 2n ** 63n - 1n

/** Go's `1h30m`, or at least one amount such as `3 days` somewhere in the text. */
export function isDuration(text: string): boolean {
  if (!('problem' in parseGoDuration(text))) return true
  const amounts = [...text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)]
  if (amounts.some(([, number = '']) => BigInt(number) > largest)) return false
  return amounts.some(([, , name = '']) => unit.test(name))
}
