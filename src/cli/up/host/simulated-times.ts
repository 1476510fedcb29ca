import { InvalidArgumentError } from 'commander'
import { type SimulatedTimes, usualTimes } from '../../../controllers/simulated-node/settings.ts'

const members: ReadonlyMap<string, keyof SimulatedTimes> = new Map([
  ['start', 'startMs'],
  ['ready', 'readyMs'],
  ['run', 'runMs'],
  ['stop', 'stopMs'],
])

/** Ten days. Timers cannot last much longer. */
const longestMs = 864_000_000

/** In the form of the flag: milliseconds by name. */
export const usualTimesText = printedTimes(usualTimes)

/** Times that are not named have their defaults. */
export function simulatedTimesArgument(text: string): SimulatedTimes {
  let times = usualTimes
  for (const part of text.split(',')) times = { ...times, ...oneTime(part) }
  return times
}

function oneTime(part: string): Partial<SimulatedTimes> {
  const [name = '', amount = '', ...rest] = part.split('=')
  const member = members.get(name)
  const ms = /^\d{1,9}$/.test(amount) ? Number(amount) : Number.POSITIVE_INFINITY
  if (member === undefined || ms > longestMs || rest.length > 0) {
    throw new InvalidArgumentError(`"${part.slice(0, 40)}" is not a time: write milliseconds as in ${usualTimesText}.`)
  }
  return { [member]: ms }
}

function printedTimes(times: SimulatedTimes): string {
  return [...members].map(([name, member]) => `${name}=${times[member]}`).join(',')
}
