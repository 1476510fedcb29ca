import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'

const scenarioNames = ['start', 'get', 'list', 'post', 'watch', 'scale'] as const
export type ScenarioName = (typeof scenarioNames)[number]

export interface BenchOptions {
  readonly scenarios: readonly ScenarioName[]
  readonly rounds: number
  /** How long a timed round of requests lasts. */
  readonly roundMs: number
  /** Where the stores of both servers are: on a real disk, or durability costs nothing. */
  readonly directory: string
}

export const usage = `npm run bench -- [--only ${scenarioNames.join(',')}] [--rounds 3] [--seconds 3] [--directory DIR]\n`

export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      directory: { type: 'string', default: tmpdir() },
    },
  })
  return {
    scenarios: scenariosOf(values.only),
    rounds: positive('--rounds', values.rounds),
    roundMs: positive('--seconds', values.seconds) * 1000,
    directory: values.directory,
  }
}

function scenariosOf(only: string | undefined): readonly ScenarioName[] {
  if (only === undefined) return scenarioNames
  const asked = only.split(',')
  const unknown = asked.filter((name) => !scenarioNames.some((known) => known === name))
  if (unknown.length > 0)
    throw new Error(`there is no scenario ${unknown.join(', ')}: choose of ${scenarioNames.join(', ')}`)
  return scenarioNames.filter((name) => asked.includes(name))
}

function positive(flag: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new Error(`${flag} takes a number greater than 0, not ${JSON.stringify(text)}`)
}
