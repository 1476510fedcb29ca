import { parseGoDuration } from '../../human/go-duration.ts'

/** The last alternative of each may continue: `minutes`, `dayz`. */
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

/** Go's `1h30m`, or at least one amount such as `3 days` anywhere in the text. */
export function isDuration(text: string): boolean {
  if (!('problem' in parseGoDuration(text))) return true
  const amounts = amountsIn(text)
  return amounts.some(({ name }) => unit.test(name)) && amounts.every(({ number }) => isSmall(number))
}

/** Numbers and the text between them are separated first, so that it takes linear time. */
function amountsIn(text: string): readonly { readonly number: string; readonly name: string }[] {
  const parts = text.match(/\d+|\D+/g) ?? []
  return parts.flatMap((number, at) => {
    const name = /^[\t\n\f\r ]*([A-Za-zµ]+)/.exec(parts[at + 1] ?? '')?.[1]
    return name === undefined || !/^\d/.test(number) ? [] : [{ number, name }]
  })
}

function isSmall(number: string): boolean {
  const digits = number.replace(/^0+/, '')
  return digits.length < 20 && BigInt(digits) <= largest
}
